#include "services/actuator/desktop/win32/screen/duplication/dxgi_output.h"

#include <d3d11.h>

#include <string>

namespace da::actuator::win32 {
namespace {

std::string with_number(std::string attempted, HRESULT failed) {
  char number[16];
  std::snprintf(number, sizeof number, "0x%08lx", static_cast<unsigned long>(failed));
  return attempted + ": " + number;
}

class D3dReader final : public ImageReader {
 public:
  D3dReader(ComPtr<ID3D11Device> device, ComPtr<ID3D11DeviceContext> context)
      : device_(std::move(device)), context_(std::move(context)) {}

  IUnknown* device() override { return device_.get(); }

  Result<void> read(IDXGIResource* image, int width, int height, std::span<const Rect> areas,
                    const Take& take) override {
    ComPtr<ID3D11Texture2D> texture;
    const HRESULT queried =
        image->QueryInterface(__uuidof(ID3D11Texture2D), reinterpret_cast<void**>(texture.receive()));
    if (FAILED(queried)) return Error{Code::kUnavailable, with_number("read a monitor's image", queried)};
    D3D11_TEXTURE2D_DESC desc{};
    texture->GetDesc(&desc);
    if (desc.Width != static_cast<UINT>(width) || desc.Height != static_cast<UINT>(height) ||
        desc.Format != DXGI_FORMAT_B8G8R8A8_UNORM) {
      return Error{Code::kUnavailable, "read a monitor's image: it has another size or format than the monitor"};
    }
    RETURN_IF_ERROR(allocate(desc));
    for (const Rect& area : areas) {
      const D3D11_BOX box{static_cast<UINT>(area.x),       static_cast<UINT>(area.y),        0,
                          static_cast<UINT>(area.right()), static_cast<UINT>(area.bottom()), 1};
      context_->CopySubresourceRegion(staging_.get(), 0, box.left, box.top, 0, texture.get(), 0, &box);
    }
    D3D11_MAPPED_SUBRESOURCE mapped{};
    const HRESULT done = context_->Map(staging_.get(), 0, D3D11_MAP_READ, 0, &mapped);
    if (FAILED(done)) return Error{Code::kUnavailable, with_number("read a monitor's image", done)};
    take(static_cast<const std::uint8_t*>(mapped.pData), mapped.RowPitch);
    context_->Unmap(staging_.get(), 0);
    return ok();
  }

 private:
  // Memory that the CPU can read, allocated once per size.
  Result<void> allocate(const D3D11_TEXTURE2D_DESC& image) {
    if (staging_ && width_ == image.Width && height_ == image.Height) return ok();
    staging_ = {};
    D3D11_TEXTURE2D_DESC desc{};
    desc.Width = image.Width;
    desc.Height = image.Height;
    desc.MipLevels = 1;
    desc.ArraySize = 1;
    desc.Format = image.Format;
    desc.SampleDesc.Count = 1;
    desc.Usage = D3D11_USAGE_STAGING;
    desc.CPUAccessFlags = D3D11_CPU_ACCESS_READ;
    const HRESULT made = device_->CreateTexture2D(&desc, nullptr, staging_.receive());
    if (FAILED(made)) return Error{Code::kUnavailable, with_number("create memory for a monitor's image", made)};
    width_ = image.Width;
    height_ = image.Height;
    return ok();
  }

  ComPtr<ID3D11Device> device_;
  ComPtr<ID3D11DeviceContext> context_;
  ComPtr<ID3D11Texture2D> staging_;
  UINT width_ = 0;
  UINT height_ = 0;
};

struct Libraries {
  decltype(&::CreateDXGIFactory1) create_factory = nullptr;
  decltype(&::D3D11CreateDevice) create_device = nullptr;
};

// Never unloaded: their objects may outlive any scope.
const Libraries& libraries() {
  static const Libraries loaded = [] {
    Libraries found;
    const auto load = [](const wchar_t* name) { return ::LoadLibraryExW(name, nullptr, LOAD_LIBRARY_SEARCH_SYSTEM32); };
    const HMODULE dxgi = load(L"dxgi.dll");
    const HMODULE d3d11 = load(L"d3d11.dll");
    if (dxgi == nullptr || d3d11 == nullptr) return found;
    found.create_factory = reinterpret_cast<decltype(found.create_factory)>(
        reinterpret_cast<void*>(::GetProcAddress(dxgi, "CreateDXGIFactory1")));
    found.create_device = reinterpret_cast<decltype(found.create_device)>(
        reinterpret_cast<void*>(::GetProcAddress(d3d11, "D3D11CreateDevice")));
    return found;
  }();
  return loaded;
}

Result<std::shared_ptr<ImageReader>> open_reader(IDXGIAdapter1* adapter) {
  ComPtr<ID3D11Device> device;
  ComPtr<ID3D11DeviceContext> context;
  const HRESULT made =
      libraries().create_device(adapter, D3D_DRIVER_TYPE_UNKNOWN, nullptr, D3D11_CREATE_DEVICE_BGRA_SUPPORT, nullptr, 0,
                                D3D11_SDK_VERSION, device.receive(), nullptr, context.receive());
  if (FAILED(made)) return Error{Code::kUnavailable, with_number("open the graphics card", made)};
  return std::shared_ptr<ImageReader>(std::make_shared<D3dReader>(std::move(device), std::move(context)));
}

Result<void> add_outputs(IDXGIAdapter1* adapter, std::vector<DxgiOutput>& outputs) {
  std::shared_ptr<ImageReader> reader;
  for (UINT i = 0;; ++i) {
    ComPtr<IDXGIOutput> output;
    if (FAILED(adapter->EnumOutputs(i, output.receive()))) return ok();
    DXGI_OUTPUT_DESC desc{};
    if (FAILED(output->GetDesc(&desc)) || !desc.AttachedToDesktop) continue;
    ComPtr<IDXGIOutput1> duplicable;
    if (FAILED(output->QueryInterface(__uuidof(IDXGIOutput1), reinterpret_cast<void**>(duplicable.receive())))) {
      return Error{Code::kUnimplemented, "duplicate the desktop: this Windows has no DXGI 1.2"};
    }
    if (!reader) {
      ASSIGN_OR_RETURN(reader, open_reader(adapter));
    }
    outputs.push_back({std::move(duplicable), reader});
  }
}

}  // namespace

Result<std::vector<DxgiOutput>> list_dxgi_outputs() {
  if (libraries().create_factory == nullptr || libraries().create_device == nullptr) {
    return Error{Code::kUnimplemented, "duplicate the desktop: this Windows has no Direct3D 11"};
  }
  ComPtr<IDXGIFactory1> factory;
  const HRESULT made = libraries().create_factory(__uuidof(IDXGIFactory1), reinterpret_cast<void**>(factory.receive()));
  if (FAILED(made)) return Error{Code::kUnavailable, with_number("list the graphics cards", made)};
  std::vector<DxgiOutput> outputs;
  for (UINT i = 0;; ++i) {
    ComPtr<IDXGIAdapter1> adapter;
    if (FAILED(factory->EnumAdapters1(i, adapter.receive()))) break;
    RETURN_IF_ERROR(add_outputs(adapter.get(), outputs));
  }
  return outputs;
}

}  // namespace da::actuator::win32

// Generated pictures, BGRX with 0 in the fourth byte as in frames. A seed gives the same picture on every machine.
#pragma once

#include <opencv2/imgproc.hpp>
#include <random>
#include <string>

#include "services/observer/image/image_decoder.h"
#include "tests/services/observer/mat_view.h"

namespace da::observer {

using Random = std::mt19937;

// Random number from low to high, inclusive.
inline int number(Random& random, int low, int high) {
  return low + static_cast<int>(random() % static_cast<unsigned>(high - low + 1));
}

inline cv::Scalar any_colour(Random& random) {
  return {static_cast<double>(number(random, 0, 255)), static_cast<double>(number(random, 0, 255)),
          static_cast<double>(number(random, 0, 255)), 0};
}

// Windows with lines of text, buttons and icons.
inline cv::Mat desktop_picture(Random& random, cv::Size size) {
  cv::Mat picture(size, CV_8UC4, any_colour(random));
  for (int window = 0; window < 4; ++window) {
    const cv::Rect area(number(random, 0, size.width / 2), number(random, 0, size.height / 2),
                        number(random, size.width / 5, size.width / 2),
                        number(random, size.height / 5, size.height / 2));
    const int paper = number(random, 200, 255);
    cv::rectangle(picture, area, cv::Scalar(paper, paper, paper, 0), cv::FILLED);
    cv::rectangle(picture, cv::Rect(area.x, area.y, area.width, 18), any_colour(random), cv::FILLED);
    for (int y = area.y + 34; y < area.br().y - 6; y += 16) {
      std::string line;
      for (int i = 0; i < area.width / 9; ++i) {
        line += random() % 6 == 0 ? ' ' : static_cast<char>('a' + random() % 26);
      }
      cv::putText(picture, line, {area.x + 6, y}, cv::FONT_HERSHEY_SIMPLEX, 0.4, cv::Scalar(30, 30, 30, 0), 1,
                  cv::LINE_AA);
    }
  }
  for (int icon = 0; icon < 8; ++icon) {
    const cv::Point at(number(random, 0, size.width - 20), number(random, 0, size.height - 20));
    cv::circle(picture, at, number(random, 4, 12), any_colour(random), cv::FILLED, cv::LINE_AA);
    cv::line(picture, at, at + cv::Point(number(random, -10, 10), number(random, -10, 10)), any_colour(random), 2);
  }
  for (auto& pixel : cv::Mat_<cv::Vec4b>(picture)) pixel[3] = 0;
  return picture;
}

// Smooth shapes with camera noise.
inline cv::Mat photo_picture(Random& random, cv::Size size, int noise) {
  cv::Mat coarse(std::max(2, size.height / 24), std::max(2, size.width / 24), CV_8UC4);
  for (auto& pixel : cv::Mat_<cv::Vec4b>(coarse)) {
    for (int c = 0; c < 3; ++c) pixel[c] = static_cast<std::uint8_t>(random() % 256);
  }
  cv::Mat picture;
  cv::resize(coarse, picture, size, 0, 0, cv::INTER_CUBIC);
  for (auto& pixel : cv::Mat_<cv::Vec4b>(picture)) {
    for (int c = 0; c < 3; ++c) pixel[c] = cv::saturate_cast<std::uint8_t>(pixel[c] + number(random, -noise, noise));
    pixel[3] = 0;
  }
  return picture;
}

// The three kinds in turn.
inline cv::Mat any_picture(Random& random, cv::Size size, int kind) {
  if (kind % 3 == 0) return desktop_picture(random, size);
  if (kind % 3 == 1) return photo_picture(random, size, 4);
  return photo_picture(random, size, 60);
}

inline DecodedImage image_of(const cv::Mat& picture) {
  DecodedImage image{picture.cols, picture.rows, {}, {}};
  for (const auto& pixel : cv::Mat_<cv::Vec4b>(picture)) {
    image.bgrx.insert(image.bgrx.end(), {pixel[0], pixel[1], pixel[2], 0});
  }
  return image;
}

inline cv::Mat bgr(const cv::Mat& picture) {
  cv::Mat result;
  cv::cvtColor(picture, result, cv::COLOR_BGRA2BGR);
  return result;
}

}  // namespace da::observer

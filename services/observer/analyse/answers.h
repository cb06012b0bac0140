// Converts results of analyses to their messages. Coordinates in messages are pixels of the region; `offset` is where
// the analysed pixels begin in it. Each function sets or adds one field of the answer. Pure; any thread.
#pragma once

#include <stop_token>
#include <vector>

#include "da/v1/analysis.pb.h"
#include "services/observer/analyse/templates/image_pyramid.h"
#include "services/observer/image/image_decoder.h"
#include "services/observer/text/ocr.h"

namespace da::observer {

void add_pixel(const frames::PixelView& pixels, Point offset, const v1::Point& at, v1::RegionAnalysis& answer);
void set_average_colour(const frames::PixelView& pixels, v1::RegionAnalysis& answer);
void set_dominant_colours(const frames::PixelView& pixels, int clusters, v1::RegionAnalysis& answer);
void add_template(const frames::PixelView& pixels, ImagePyramid& pyramid, Point offset, const DecodedImage& image,
                  const v1::TemplateQuery& query, const std::stop_token& stop, v1::RegionAnalysis& answer);
// `corner`: the region's top left corner in the frame, whose pixels the lines have.
void set_text(std::vector<OcrLine> lines, Point corner, v1::OcrText& text);

}  // namespace da::observer

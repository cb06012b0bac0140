# Included by tests/bench/CMakeLists.txt.
find_package(benchmark REQUIRED)
find_package(OpenCV REQUIRED COMPONENTS core imgproc)
add_executable(observer_bench ${CMAKE_CURRENT_LIST_DIR}/observer_bench.cpp ${CMAKE_CURRENT_LIST_DIR}/analysis_bench.cpp)
target_link_libraries(observer_bench PRIVATE da_options da_observer benchmark::benchmark PkgConfig::ZSTD opencv_core opencv_imgproc)

# Reads the pictures of tests/bench/reading/pieces.py.
add_executable(read_pieces ${CMAKE_CURRENT_LIST_DIR}/reading/read_pieces.cpp)
target_link_libraries(read_pieces PRIVATE da_options da_observer)

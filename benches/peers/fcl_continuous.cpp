// FCL's continuous collision of two meshes, for the bench `sweep`.
//
//   g++ -O3 -I/usr/include/eigen3 fcl_continuous.cpp -lfcl -lccd -loctomap -loctomath -o fcl_continuous
//   fcl_continuous A.off B.off MOTIONS advancement|sampling TOLERANCE [SECONDS]
//
// `advancement` is FCL's conservative advancement; `sampling` asks FCL's static query at times that are TOLERANCE apart, as
// its default does at ten of them. A line of MOTIONS is two poses of B, from and to, each the rows of its rotation and its translation; A rests. The
// output has a line for each: whether they collide, when, and the nanoseconds that it took. After SECONDS no further one is asked.
#include <fcl/fcl.h>
#include <fcl/math/motion/interp_motion.h>

#include <chrono>
#include <cstdio>
#include <fstream>

using Mesh = fcl::BVHModel<fcl::OBBRSSd>;

static std::shared_ptr<Mesh> read(const char* path) {
    std::ifstream in(path);
    std::string word;
    size_t vertices, triangles, edges;
    in >> word >> vertices >> triangles >> edges;
    std::vector<fcl::Vector3d> points(vertices);
    for (auto& p : points) in >> p[0] >> p[1] >> p[2];
    std::vector<fcl::Triangle> faces(triangles);
    for (auto& face : faces) {
        size_t n, a, b, c;
        in >> n >> a >> b >> c;
        face.set(a, b, c);
    }
    if (!in) throw std::runtime_error(path);
    auto mesh = std::make_shared<Mesh>();
    mesh->beginModel(triangles, vertices);
    mesh->addSubModel(points, faces);
    mesh->endModel();
    mesh->computeLocalAABB();
    return mesh;
}

int main(int argc, char** argv) {
    if (argc != 6 && argc != 7) {
        fprintf(stderr, "usage: %s A.off B.off MOTIONS advancement|sampling TOLERANCE [SECONDS]\n", argv[0]);
        return 2;
    }
    auto a = read(argv[1]), b = read(argv[2]);
    std::ifstream motions(argv[3]);
    bool advances = std::string(argv[4]) == "advancement";
    double tolerance = std::stod(argv[5]);
    double limit = argc == 7 ? std::stod(argv[6]) : 1e9;
    auto first = std::chrono::steady_clock::now();
    double numbers[24];
    while (true) {
        for (double& number : numbers) motions >> number;
        if (!motions) break;
        std::chrono::duration<double> spent = std::chrono::steady_clock::now() - first;
        if (spent.count() > limit) break;
        fcl::Transform3d poses[2];
        for (int k = 0; k < 2; k++) {
            poses[k] = fcl::Transform3d::Identity();
            for (int i = 0; i < 9; i++) poses[k].linear()(i / 3, i % 3) = numbers[12 * k + i];
            for (int i = 0; i < 3; i++) poses[k].translation()[i] = numbers[12 * k + 9 + i];
        }
        fcl::ContinuousCollisionRequestd request(
            size_t(1 / tolerance), tolerance, fcl::CCDM_LINEAR, fcl::GST_LIBCCD,
            advances ? fcl::CCDC_CONSERVATIVE_ADVANCEMENT : fcl::CCDC_NAIVE);
        fcl::ContinuousCollisionResultd result;
        // The motion that FCL itself makes of two poses never sets the point about which it turns.
        const fcl::Vector3d zero = fcl::Vector3d::Zero();
        const fcl::Matrix3d unit = fcl::Matrix3d::Identity();
        const fcl::InterpMotion<double> rest(unit, zero, unit, zero, zero);
        const fcl::InterpMotion<double> motion(poses[0].linear(), poses[0].translation(),
                                        poses[1].linear(), poses[1].translation(), zero);
        auto began = std::chrono::steady_clock::now();
        fcl::continuousCollide(a.get(), &rest, b.get(), &motion, request, result);
        std::chrono::duration<double, std::nano> took = std::chrono::steady_clock::now() - began;
        printf("%d %.17g %.0f\n", result.is_collide ? 1 : 0, result.time_of_contact, took.count());
    }
}

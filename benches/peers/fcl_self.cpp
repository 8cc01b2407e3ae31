// FCL's collision of a mesh with itself, for the bench `self_intersection`.
//
//   g++ -O3 -I/usr/include/eigen3 fcl_self.cpp -lfcl -lccd -loctomap -loctomath -o fcl_self
//   fcl_self A.off PASSES
//
// FCL tests one hierarchy of oriented boxes and spheres (OBBRSS) against itself with the function that it has for this,
// `selfCollide`, which skips nothing, though neighbours always meet. So its recursion is repeated here, with FCL's test of two
// triangles, `Intersect`: for all pairs of leaves, as `selfCollide` does, and for those alone that share no vertex, which is less
// than what is needed to decide about neighbours. The output is a line for each pass: pairs that meet without a common vertex,
// the nanoseconds that it took without neighbours, and with them.
#include <fcl/fcl.h>
#include <fcl/narrowphase/detail/traversal/collision/bvh_collision_traversal_node.h>

#include <chrono>
#include <cstdio>
#include <fstream>
#include <stdexcept>
#include <string>

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
    return mesh;
}

struct Search {
    const Mesh& mesh;
    bool skips_neighbours;
    size_t found = 0;

    bool share(const fcl::Triangle& s, const fcl::Triangle& t) const {
        for (int i = 0; i < 3; i++)
            for (int j = 0; j < 3; j++)
                if (s[i] == t[j]) return true;
        return false;
    }

    void leaves(int a, int b) {
        const auto& s = mesh.tri_indices[mesh.getBV(a).primitiveId()];
        const auto& t = mesh.tri_indices[mesh.getBV(b).primitiveId()];
        if (skips_neighbours && share(s, t)) return;
        const auto* p = mesh.vertices;
        if (fcl::detail::Intersect<double>::intersect_Triangle(p[s[0]], p[s[1]], p[s[2]], p[t[0]], p[t[1]], p[t[2]]))
            found++;
    }

    void pair(int a, int b) {
        const auto &first = mesh.getBV(a), &second = mesh.getBV(b);
        if (!first.overlap(second)) return;
        if (first.isLeaf() && second.isLeaf()) return leaves(a, b);
        // As FCL chooses: the larger one is opened.
        if (second.isLeaf() || (!first.isLeaf() && first.bv.size() > second.bv.size())) {
            pair(first.leftChild(), b);
            pair(first.rightChild(), b);
        } else {
            pair(a, second.leftChild());
            pair(a, second.rightChild());
        }
    }

    void self(int a) {
        const auto& node = mesh.getBV(a);
        if (node.isLeaf()) return;
        self(node.leftChild());
        self(node.rightChild());
        pair(node.leftChild(), node.rightChild());
    }
};

int main(int argc, char** argv) {
    if (argc != 3) {
        fprintf(stderr, "usage: %s A.off PASSES\n", argv[0]);
        return 2;
    }
    auto mesh = read(argv[1]);
    for (int pass = 0; pass < std::stoi(argv[2]); pass++) {
        double took[2];
        size_t found = 0;
        for (int all = 0; all < 2; all++) {
            Search search{*mesh, all == 0};
            auto began = std::chrono::steady_clock::now();
            search.self(0);
            took[all] = std::chrono::duration<double, std::nano>(std::chrono::steady_clock::now() - began).count();
            if (all == 0) found = search.found;
        }
        printf("%zu %.0f %.0f\n", found, took[0], took[1]);
    }
}

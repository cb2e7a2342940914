// swift-tools-version: 6.2
import PackageDescription

// A package of its own, so that who uses Nacre never builds what it is measured against.
// It stands on NacreCore and not on Nacre: no macros, so no swift-syntax to build.
let package = Package(
  name: "NacreBenchmarks",
  platforms: [.macOS(.v15)],
  dependencies: [
    .package(name: "Nacre", path: ".."),
    .package(url: "https://github.com/groue/GRDB.swift.git", exact: "7.10.0"),
    .package(url: "https://github.com/apple/swift-argument-parser", exact: "1.8.2"),
  ],
  targets: [
    // The libraries that the floor calls; not Nacre's own modules of the same headers.
    .systemLibrary(
      name: "CBenchSQLite",
      pkgConfig: "sqlite3",
      providers: [.apt(["libsqlite3-dev"]), .brew(["sqlite"])]
    ),
    .systemLibrary(
      name: "CBenchOpenSSL",
      pkgConfig: "libcrypto",
      providers: [.apt(["libssl-dev"]), .brew(["openssl@3"])]
    ),

    // malloc_trim, which the Glibc module leaves out.
    .systemLibrary(name: "CBenchMemory"),

    .executableTarget(
      name: "Bench",
      dependencies: [
        "CBenchSQLite", "CBenchOpenSSL", "CBenchMemory",
        .product(name: "NacreCore", package: "Nacre"),
        .product(name: "NacreOpen", package: "Nacre"),
        .product(name: "NacreRecords", package: "Nacre"),
        .product(name: "NacreUpkeep", package: "Nacre"),
        .product(name: "NacreDAO", package: "Nacre"),
        .product(name: "GRDB", package: "GRDB.swift"),
        .product(name: "ArgumentParser", package: "swift-argument-parser"),
      ],
      swiftSettings: [
        .enableUpcomingFeature("InternalImportsByDefault"),
        .enableUpcomingFeature("MemberImportVisibility"),
        .enableUpcomingFeature("ExistentialAny"),
      ]
    ),
  ],
  swiftLanguageModes: [.v6]
)

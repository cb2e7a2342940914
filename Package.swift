// swift-tools-version: 6.2
import CompilerPluginSupport
import PackageDescription

// The modules and their dependencies; each module stands after those on which it depends.
// Tests/Architecture compares the import lines of every file with the same dependencies.
let package = Package(
  name: "Nacre",
  platforms: [.macOS(.v15)],
  products: [
    .library(name: "Nacre", targets: ["Nacre"]),
    .library(name: "NacreCore", targets: ["NacreCore"]),
    .library(name: "NacreRecords", targets: ["NacreRecords"]),
    .library(name: "NacreUpkeep", targets: ["NacreUpkeep"]),
    .library(name: "NacreOpen", targets: ["NacreOpen"]),
    .library(name: "NacreDAO", targets: ["NacreDAO"]),
    .executable(name: "nacre", targets: ["NacreTool"]),
  ],
  traits: [
    // Off by default, so that an application that depends on Nacre does not get the parser of
    // arguments. The scripts build with `--traits Tool`.
    .trait(name: "Tool", description: "The command `nacre`, and swift-argument-parser for it."),
    // Off by default, so that nobody needs libpq who keeps stores in files.
    .trait(name: "PostgreSQL", description: "The engine on a PostgreSQL server, by libpq."),
  ],
  dependencies: [
    .package(url: "https://github.com/swiftlang/swift-syntax", "600.0.1"..<"700.0.0"),
    .package(url: "https://github.com/apple/swift-argument-parser", from: "1.8.2"),
    .package(url: "https://github.com/apple/swift-log", from: "1.16.2"),
  ],
  targets: [
    // The C libraries, as Debian and Homebrew ship them.
    .systemLibrary(
      name: "CSQLite",
      pkgConfig: "sqlite3",
      providers: [.apt(["libsqlite3-dev"]), .brew(["sqlite"])]
    ),
    .systemLibrary(
      name: "COpenSSL",
      pkgConfig: "libcrypto",
      providers: [.apt(["libssl-dev"]), .brew(["openssl@3"])]
    ),
    // Nothing asks for it without the trait PostgreSQL.
    .systemLibrary(
      name: "CPQ",
      pkgConfig: "libpq",
      providers: [.apt(["libpq-dev"]), .brew(["libpq"])]
    ),

    // Values that columns hold, and the seam between a database engine and what stands on it; knows
    // no engine.
    .target(name: "NacreEngine", dependencies: []),
    // The first engine: SQLite's connections and their statements; knows no keys and no entities.
    .target(name: "NacreSQLite", dependencies: ["CSQLite", "NacreEngine"]),
    // The second engine: connections to a PostgreSQL server, by libpq. Traits condition dependencies
    // and not targets, so its sources stand in `#if PostgreSQL`.
    .target(
      name: "NacrePostgres",
      dependencies: [
        "NacreEngine", .target(name: "CPQ", condition: .when(traits: ["PostgreSQL"])),
      ]
    ),
    // Sealing, key ring, secret memory; knows no SQL and no files.
    .target(name: "NacreCrypto", dependencies: ["COpenSSL"]),
    // Stores: the pool of connections, transactions, keys in their tables, the catalog, the
    // caller's own SQL; knows no classes.
    .target(
      name: "NacreStore",
      dependencies: [
        "NacreEngine", "NacreCrypto",
        .product(name: "Logging", package: "swift-log"),
      ]
    ),
    // Rotation, conversion, verification, inspection, export and import; knows a store's entities
    // by its catalog, not by their classes.
    .target(
      name: "NacreUpkeep",
      dependencies: ["NacreEngine", "NacreCrypto", "NacreStore"]
    ),
    // `Store.open` on SQLite, and with the trait PostgreSQL on a server: the one module that joins
    // the engines with stores.
    .target(
      name: "NacreOpen",
      dependencies: [
        "NacreEngine", "NacreSQLite", "NacreCrypto", "NacreStore", "NacreUpkeep",
        .target(name: "NacrePostgres", condition: .when(traits: ["PostgreSQL"])),
      ]
    ),
    // Entities: their tables, saves, fetches, queries, migrations and observation.
    .target(
      name: "NacreCore",
      dependencies: ["NacreEngine", "NacreCrypto", "NacreStore", "NacreUpkeep"]
    ),

    // Records: structs in tables with keys of their own, on the same rows and queries.
    .target(
      name: "NacreRecords",
      dependencies: ["NacreEngine", "NacreStore", "NacreCore"]
    ),

    // DAOs, whose methods an XML file describes, and the data center with its files and key-value
    // stores.
    .target(name: "NacreDAO", dependencies: ["NacreStore", "NacreOpen", "NacreCore"]),

    // The compiler plug-in behind `@Entity` and `@DAO`; knows only syntax.
    .macro(
      name: "NacreMacros",
      dependencies: [
        .product(name: "SwiftSyntax", package: "swift-syntax"),
        .product(name: "SwiftSyntaxBuilder", package: "swift-syntax"),
        .product(name: "SwiftSyntaxMacros", package: "swift-syntax"),
        .product(name: "SwiftDiagnostics", package: "swift-syntax"),
        .product(name: "SwiftCompilerPlugin", package: "swift-syntax"),
      ]
    ),
    // The module that applications import: declares the macros, and exports NacreCore, NacreRecords
    // and NacreOpen with all that they stand on.
    .target(
      name: "Nacre",
      dependencies: ["NacreCore", "NacreRecords", "NacreOpen", "NacreMacros"]
    ),

    // The command `nacre`; each subcommand has a file of its own. Without the trait Tool it is a
    // program that says how to build it.
    .executableTarget(
      name: "NacreTool",
      dependencies: [
        "NacreStore", "NacreUpkeep", "NacreOpen",
        .product(
          name: "ArgumentParser",
          package: "swift-argument-parser",
          condition: .when(traits: ["Tool"])
        ),
      ]
    ),
    // The example that script/demo runs.
    .executableTarget(
      name: "Garage",
      dependencies: ["Nacre"],
      path: "Examples/Garage",
      resources: [.copy("Resources/cars.json"), .copy("Resources/SOURCE.md")]
    ),

    // The example that opens two stores written by an earlier release.
    .executableTarget(
      name: "Classroom",
      dependencies: ["Nacre"],
      path: "Examples/Classroom",
      resources: [.copy("Resources/teachers.db"), .copy("Resources/students.db")]
    ),
    // The example of a DAO: conversations of two users, with a file that an earlier release wrote.
    .executableTarget(
      name: "Messages",
      dependencies: ["Nacre", "NacreDAO"],
      path: "Examples/Messages",
      resources: [
        .copy("Resources/chat.xml"), .copy("Resources/chat-1.0.xml"),
        .copy("Resources/ada-1.0.db"),
      ]
    ),

    // The program of which script/traffic and script/kill run many at a time, beside the command.
    .executableTarget(
      name: "Traffic",
      dependencies: ["NacreOpen", "NacreCore"],
      path: "Tests/Traffic",
      exclude: ["Driver"]
    ),
    // A file system for SQLite whose calls fail, and whose power is cut; knows no module of Nacre.
    .target(name: "TestFaults", dependencies: ["CSQLite"], path: "Tests/Faults"),
    // The program that runs stores on such a disk: script/faults.
    .executableTarget(
      name: "FaultRuns",
      dependencies: [
        "NacreCrypto", "NacreStore", "NacreOpen", "NacreUpkeep", "NacreCore", "TestFaults",
      ],
      path: "Tests/FaultRuns"
    ),
    // Temporary stores, and what the tests of several modules share: entities, records and scenes.
    .target(
      name: "TestSupport",
      dependencies: [
        "NacreEngine", "NacreSQLite", "NacreCrypto", "NacreStore", "NacreOpen", "NacreUpkeep",
        "NacreCore", "NacreRecords",
        .target(name: "NacrePostgres", condition: .when(traits: ["PostgreSQL"])),
      ],
      path: "Tests/Support"
    ),
    .testTarget(
      name: "NacreEngineTests",
      dependencies: ["NacreEngine", "NacreOpen", "NacreCore", "NacreRecords", "TestSupport"],
      path: "Tests/NacreEngine"
    ),
    .testTarget(
      name: "NacreSQLiteTests",
      dependencies: [
        "NacreEngine", "NacreSQLite", "NacreCrypto", "NacreStore", "TestFaults", "TestSupport",
      ],
      path: "Tests/NacreSQLite"
    ),
    .testTarget(
      name: "NacrePostgresTests",
      dependencies: [
        "NacreEngine", "NacrePostgres", "NacreCrypto", "NacreStore", "NacreOpen", "NacreUpkeep",
        "NacreCore", "NacreDAO", "TestSupport",
      ],
      path: "Tests/NacrePostgres"
    ),
    .testTarget(
      name: "NacreCryptoTests",
      dependencies: ["NacreCrypto"],
      path: "Tests/NacreCrypto"
    ),
    // A store's tests save entities and records, as an application does, so they depend on
    // NacreCore and NacreRecords too.
    .testTarget(
      name: "NacreStoreTests",
      dependencies: [
        "NacreSQLite", "NacreStore", "NacreOpen", "NacreUpkeep", "NacreCore", "NacreRecords",
        "TestFaults", "TestSupport", .product(name: "Logging", package: "swift-log"),
      ],
      path: "Tests/NacreStore"
    ),
    .testTarget(
      name: "NacreUpkeepTests",
      dependencies: ["NacreOpen", "NacreUpkeep", "NacreCore", "TestSupport"],
      path: "Tests/NacreUpkeep"
    ),
    .testTarget(
      name: "NacreCoreTests",
      dependencies: [
        "NacreEngine", "NacreSQLite", "NacreStore", "NacreOpen", "NacreUpkeep", "NacreCore",
        "NacreRecords", "TestSupport",
      ],
      path: "Tests/NacreCore"
    ),
    .testTarget(
      name: "NacreRecordsTests",
      dependencies: [
        "NacreSQLite", "NacreOpen", "NacreUpkeep", "NacreCore", "NacreRecords", "TestSupport",
      ],
      path: "Tests/NacreRecords"
    ),
    .testTarget(
      name: "NacreDAOTests",
      dependencies: ["NacreDAO", "NacreOpen", "TestSupport"],
      path: "Tests/NacreDAO"
    ),
    .testTarget(
      name: "NacreMacrosTests",
      dependencies: [
        "NacreMacros",
        .product(name: "SwiftParser", package: "swift-syntax"),
        .product(name: "SwiftSyntax", package: "swift-syntax"),
        .product(name: "SwiftSyntaxMacros", package: "swift-syntax"),
        .product(name: "SwiftSyntaxMacroExpansion", package: "swift-syntax"),
        .product(name: "SwiftSyntaxMacrosGenericTestSupport", package: "swift-syntax"),
      ],
      path: "Tests/NacreMacros"
    ),
    .testTarget(
      name: "NacreTests",
      dependencies: ["Nacre", "NacreDAO", "TestSupport"],
      path: "Tests/Nacre",
      exclude: ["DAO/chat.xml"]
    ),
    // Tests of the macros in a module that is isolated to the main actor by default.
    .testTarget(
      name: "NacreIsolationTests",
      dependencies: ["Nacre", "NacreDAO", "TestSupport"],
      path: "Tests/Isolation"
    ),
    .testTarget(name: "ArchitectureTests", path: "Tests/Architecture"),
    .testTarget(
      name: "CommandTests",
      dependencies: ["NacreTool", "NacreOpen", "Garage", "Classroom", "Messages", "TestSupport"],
      path: "Tests/Command"
    ),
    // The command on stores of a server, with the traits Tool and PostgreSQL.
    .testTarget(
      name: "ServerCommandTests",
      dependencies: [
        "NacreTool", "NacreStore", "NacreOpen", "NacreUpkeep", "NacreCore", "TestSupport",
        .target(name: "NacrePostgres", condition: .when(traits: ["PostgreSQL"])),
      ],
      path: "Tests/ServerCommand"
    ),
  ],
  swiftLanguageModes: [.v6]
)

// NACRE_BENCHMARKS adds the benchmarks and what they measure Nacre against; `script/bench` sets it. A
// package that depends on Nacre never builds them. They stand on NacreCore and not on Nacre: no
// macros, so no swift-syntax to build. With the value `postgres` it adds those of the second engine alone,
// which need libpq and the trait PostgreSQL.
if Context.environment["NACRE_BENCHMARKS"] == "postgres" {
  package.targets += [
    .systemLibrary(
      name: "CBenchOpenSSL",
      path: "Benchmarks/Sources/CBenchOpenSSL",
      pkgConfig: "libcrypto",
      providers: [.apt(["libssl-dev"]), .brew(["openssl@3"])]
    ),
    // The floor: loops in C over libpq and libcrypto.
    .target(
      name: "CBenchPostgres",
      dependencies: [
        .target(name: "CPQ", condition: .when(traits: ["PostgreSQL"])), "CBenchOpenSSL",
      ],
      path: "Benchmarks/Sources/CBenchPostgres"
    ),
    // Its folder Shared has links to files of Bench, so that both measure the same classes, each in its own module as
    // an application's are.
    .executableTarget(
      name: "BenchPostgres",
      dependencies: [
        "CBenchPostgres", "NacreCore", "NacreOpen", "NacreUpkeep",
        .product(name: "ArgumentParser", package: "swift-argument-parser"),
      ],
      path: "Benchmarks/Sources/BenchPostgres"
    ),
  ]
} else if Context.environment["NACRE_BENCHMARKS"] != nil {
  package.dependencies.append(
    .package(url: "https://github.com/groue/GRDB.swift.git", exact: "7.10.0")
  )
  package.targets += [
    // The libraries that the floor calls; not Nacre's own modules of the same headers.
    .systemLibrary(
      name: "CBenchSQLite",
      path: "Benchmarks/Sources/CBenchSQLite",
      pkgConfig: "sqlite3",
      providers: [.apt(["libsqlite3-dev"]), .brew(["sqlite"])]
    ),
    .systemLibrary(
      name: "CBenchOpenSSL",
      path: "Benchmarks/Sources/CBenchOpenSSL",
      pkgConfig: "libcrypto",
      providers: [.apt(["libssl-dev"]), .brew(["openssl@3"])]
    ),
    // malloc_trim, which the Glibc module leaves out.
    .systemLibrary(name: "CBenchMemory", path: "Benchmarks/Sources/CBenchMemory"),
    .executableTarget(
      name: "Bench",
      dependencies: [
        "CBenchSQLite", "CBenchOpenSSL", "CBenchMemory", "NacreCore", "NacreOpen", "NacreRecords",
        "NacreUpkeep", "NacreDAO",
        .product(name: "GRDB", package: "GRDB.swift"),
        .product(name: "ArgumentParser", package: "swift-argument-parser"),
      ],
      path: "Benchmarks/Sources/Bench"
    ),
    // Gives SQLite's library in another program, such as Python, the file system of sealed files.
    .target(
      name: "BenchSealedFile",
      dependencies: ["NacreSQLite", "NacreStore", "NacreOpen"],
      path: "Benchmarks/Sources/BenchSealedFile"
    ),
  ]
  package.products.append(
    .library(name: "BenchSealedFile", type: .dynamic, targets: ["BenchSealedFile"])
  )
}

// NACRE_WITHOUT_MACROS leaves out swift-syntax and the targets that depend on it, so that the tests
// of the other modules build in a fraction of the time.
if Context.environment["NACRE_WITHOUT_MACROS"] != nil {
  let macros: Set = ["NacreMacros", "Nacre", "Garage", "Classroom", "Messages"]
  package.targets.removeAll { target in
    macros.contains(target.name) || target.targetNames.contains(where: macros.contains)
  }
  package.products.removeAll { $0.name == "Nacre" }
  package.dependencies.removeFirst()
}

// NACRE_TESTS names test targets, with blanks between them. The others are left out, with all that
// they do not depend on, so that a build compiles and links what these tests need and nothing else.
// `script/check` sets it.
if let names = Context.environment["NACRE_TESTS"] {
  var needed = Set(names.split(separator: " ").map(String.init))
  // A target stands after those on which it depends.
  for target in package.targets.reversed() where needed.contains(target.name) {
    needed.formUnion(target.targetNames)
  }
  package.targets.removeAll { !needed.contains($0.name) }
  // A library has the name of its target.
  if needed.contains("NacreTool") { needed.insert("nacre") }
  package.products.removeAll { !needed.contains($0.name) }
} else {
  // With a test that depends on a macro, SwiftPM would build all tests, and all that they stand on,
  // a second time, as tools of the compiler.
  package.targets.removeAll { $0.name == "NacreMacrosTests" }
}

// Every import is internal unless it says otherwise, so that no module leaks the modules on which
// it depends. `script/test` sets NACRE_STRICT; a package that depends on Nacre does not treat its
// warnings as errors.
for target in package.targets where target.type != .system {
  var settings: [SwiftSetting] = [
    .enableUpcomingFeature("InternalImportsByDefault"),
    .enableUpcomingFeature("MemberImportVisibility"),
    .enableUpcomingFeature("ExistentialAny"),
  ]
  if target.name == "NacreIsolationTests" {
    // The settings of a new application.
    settings += [
      .defaultIsolation(MainActor.self),
      .enableUpcomingFeature("NonisolatedNonsendingByDefault"),
      .enableUpcomingFeature("InferIsolatedConformances"),
    ]
  }
  if Context.environment["NACRE_STRICT"] != nil {
    settings.append(.treatAllWarnings(as: .error))
  }
  target.swiftSettings = settings
}

extension Target {
  /// The names of the package's targets on which it depends.
  var targetNames: [String] {
    dependencies.compactMap { dependency in
      switch dependency {
      case .byNameItem(let name, _), .targetItem(let name, _): name
      default: nil
      }
    }
  }
}

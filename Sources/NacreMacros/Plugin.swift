import SwiftCompilerPlugin
import SwiftSyntaxMacros

/// The plug-in that the compiler loads for Nacre's macros.
@main
struct NacrePlugin: CompilerPlugin {
  let providingMacros: [any Macro.Type] = [
    DAOMacro.self, EntityMacro.self, EntityPropertyMacro.self, PropertyMarkerMacro.self,
  ]
}

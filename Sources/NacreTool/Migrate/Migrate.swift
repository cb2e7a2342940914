#if Tool
import ArgumentParser
import NacreStore
import NacreUpkeep

/// `nacre migrate`: seals or unseals a property's stored values, or seals them in another way.
struct Migrate: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Seal a property's stored values, unseal them, or change how they are sealed.",
    discussion: """
        nacre migrate garage.db Car vin --seal --key-file garage.key
        nacre migrate garage.db Car plate --seal --searchable --key-file garage.key
        nacre migrate garage.db --resume --key-file garage.key

      For a class whose property is marked @Encrypted now, or no longer, or otherwise: it must be declared as the \
      command says. Until all rows are converted the entity can't be used; others can. It can be stopped or killed at \
      any moment; --resume goes on, --abandon takes back what was begun. At the end the file is written anew, so that \
      no plaintext is left in it, which takes room for a second one.

      Without a property the command says what was begun and is not done.
      """
  )

  /// The action of the command.
  enum Action: String, EnumerableFlag {
    case seal, unseal, resume, abandon

    static func help(for value: Action) -> ArgumentHelp? {
      switch value {
      case .seal: "Seal the property's values, or seal them as the options say."
      case .unseal: "Store the property's values in plain."
      case .resume: "Go on with the migration that was begun."
      case .abandon: "Take back the migration that was begun."
      }
    }
  }

  @Argument(help: .store)
  var store: String

  @Argument(help: "The property's entity.")
  var entity: String?

  @Argument(help: "The property.")
  var property: String?

  @Flag var action: Action?

  @OptionGroup(title: "How to seal")
  var form: SealedFormOptions

  @OptionGroup(title: "Ways to unlock")
  var unlockOptions: UnlockOptions

  func validate() throws {
    let isOfProperty = action == .seal || action == .unseal
    guard isOfProperty == (property != nil), (entity == nil) == (property == nil) else {
      throw ValidationError(
        "An entity, a property and --seal or --unseal go together: give all of them or none."
      )
    }
    guard action == .seal || form.isEmpty else {
      throw ValidationError("Options on how to seal can be given only with --seal.")
    }
  }

  func run() throws {
    let store = try unlockOptions.openStore(at: store)
    let output = Output.standard
    guard let action else {
      return output.show(lines(try store.unfinishedConversions(), "Begun"))
    }
    output.show(try StoreHeader(store).lines)
    try Output.flush()
    Interruption.watch()
    let display = GaugeDisplay()
    let done = try perform(action, on: store) { progress in
      display.show(progress.gauge)
      return !Interruption.isRequested
    }
    display.end()
    output.show(lines(done, action == .abandon ? "Taken back" : "Converted"))
    guard try !Interruption.isRequested || store.unfinishedConversions().isEmpty else {
      throw CommandFailure(
        .interrupted,
        "stopped at the end of a batch; call 'nacre migrate --resume' to go on"
      )
    }
  }

  private func perform(
    _ action: Action,
    on store: Store,
    _ progress: (MigrationProgress) -> Bool
  ) throws -> [SealingChange] {
    switch action {
    case .resume: return try store.resumeConversions(progress: progress)
    case .abandon: return try store.abandonMigration()
    case .seal, .unseal:
      guard let entity, let property else { return [] }
      let options = action == .seal ? form.options : nil
      return try store.convert(property, of: entity, to: options, progress: progress)
    }
  }

  private func lines(_ changes: [SealingChange], _ title: String) -> [String] {
    if changes.isEmpty { return ["There is nothing to do."] }
    return changes.map { "\(title): \($0.description.visible), \($0.total.counted("row"))." }
  }
}

extension MigrationProgress {
  fileprivate var gauge: Gauge {
    Gauge(
      activity: phase.visible,
      place: "\(change.entity).\(change.property)".visible,
      done: done,
      total: total,
      unit: "rows"
    )
  }
}
#endif

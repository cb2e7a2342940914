import NacreCore

/// A class of samples, plain or with two sealed properties.
protocol MeasuredSample: Entity, Summed {
  static var isSealed: Bool { get }
  static func make(_ values: SampleValues) -> Self
  /// Adds 1 to the power, or sets `vin` to the next one where it is sealed.
  func change(_ values: SampleValues)
}

extension Sample: MeasuredSample {
  static var isSealed: Bool { false }

  static func make(_ values: SampleValues) -> Sample {
    let sample = Sample.create(objectID: values.objectID.uuid)
    sample.name = values.name
    sample.color = values.color
    sample.power = values.power
    sample.weight = values.weight
    sample.year = values.year
    return sample
  }

  func change(_ values: SampleValues) { power += 1 }

  func add(to checksum: inout Checksum) {
    checksum.add(power: power, color: color, name: name, vin: nil, plate: nil)
  }
}

extension SealedSample: MeasuredSample {
  static var isSealed: Bool { true }

  static func make(_ values: SampleValues) -> SealedSample {
    let sample = SealedSample.create(objectID: values.objectID.uuid)
    sample.name = values.name
    sample.color = values.color
    sample.power = values.power
    sample.weight = values.weight
    sample.year = values.year
    sample.vin = values.vin
    sample.plate = values.plate
    return sample
  }

  func change(_ values: SampleValues) { vin = values.nextVIN }

  func add(to checksum: inout Checksum) {
    checksum.add(power: power, color: color, name: name, vin: vin, plate: plate)
  }
}

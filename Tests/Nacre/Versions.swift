import Foundation
import Nacre
@testable import TestSupport

/// The first version of some classes; the second one's bear the same names.
enum V1 {
  @Entity final class Truck {
    var name = ""
  }

  /// 66 properties: those from the 64th on share one change bit.
  @Entity final class Ledger {
    var p0 = 0
    var p1 = 0
    var p2 = 0
    var p3 = 0
    var p4 = 0
    var p5 = 0
    var p6 = 0
    var p7 = 0
    var p8 = 0
    var p9 = 0
    var p10 = 0
    var p11 = 0
    var p12 = 0
    var p13 = 0
    var p14 = 0
    var p15 = 0
    var p16 = 0
    var p17 = 0
    var p18 = 0
    var p19 = 0
    var p20 = 0
    var p21 = 0
    var p22 = 0
    var p23 = 0
    var p24 = 0
    var p25 = 0
    var p26 = 0
    var p27 = 0
    var p28 = 0
    var p29 = 0
    var p30 = 0
    var p31 = 0
    var p32 = 0
    var p33 = 0
    var p34 = 0
    var p35 = 0
    var p36 = 0
    var p37 = 0
    var p38 = 0
    var p39 = 0
    var p40 = 0
    var p41 = 0
    var p42 = 0
    var p43 = 0
    var p44 = 0
    var p45 = 0
    var p46 = 0
    var p47 = 0
    var p48 = 0
    var p49 = 0
    var p50 = 0
    var p51 = 0
    var p52 = 0
    var p53 = 0
    var p54 = 0
    var p55 = 0
    var p56 = 0
    var p57 = 0
    var p58 = 0
    var p59 = 0
    var p60: Int?
    var p61: Int?
    var p62: Int?
    var p63: Int?
    var p64: Int?
    var p65: Int?
  }
}

enum V2 {
  @Entity final class Truck {
    var name = ""
    var isLarge = true
    var load = 0.1 + 0.2
    var plate: String?
    var note: String = "it's \"new\"" + TestPlace.nul
    var lowest = Int.min
    var tag = UUID(uuid: (0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15))
    var photo = Data([0, 255])
    var empty = Data()
    var fuel = Fuel.diesel
    @Column(default: "stored") var state = "new"
    @Column(indexed: true) var year = 1999
    @Encrypted var secret = "nobody knows"
    @Encrypted var code: Int?
    var cabin: Cabin?
    var crates: [Crate] = []
    var driver: Link<Driver>?
    var loaders = Links<Driver>()
    @Relationship(inverse: \Trip.truck) var trips: [Trip] = []
  }

  @Entity final class Cabin { var seats = 0 }
  @Entity final class Crate { var weight = 0 }
  @Entity final class Driver { var name = "" }
  @Entity final class Trip {
    var length = 0
    var truck: Link<Truck>?
  }

  @Entity final class Ledger {
    var p0 = 0
    var p1 = 0
    var p2 = 0
    var p3 = 0
    var p4 = 0
    var p5 = 0
    var p6 = 0
    var p7 = 0
    var p8 = 0
    var p9 = 0
    var p10 = 0
    var p11 = 0
    var p12 = 0
    var p13 = 0
    var p14 = 0
    var p15 = 0
    var p16 = 0
    var p17 = 0
    var p18 = 0
    var p19 = 0
    var p20 = 0
    var p21 = 0
    var p22 = 0
    var p23 = 0
    var p24 = 0
    var p25 = 0
    var p26 = 0
    var p27 = 0
    var p28 = 0
    var p29 = 0
    var p30 = 0
    var p31 = 0
    var p32 = 0
    var p33 = 0
    var p34 = 0
    var p35 = 0
    var p36 = 0
    var p37 = 0
    var p38 = 0
    var p39 = 0
    var p40 = 0
    var p41 = 0
    var p42 = 0
    var p43 = 0
    var p44 = 0
    var p45 = 0
    var p46 = 0
    var p47 = 0
    var p48 = 0
    var p49 = 0
    var p50 = 0
    var p51 = 0
    var p52 = 0
    var p53 = 0
    var p54 = 0
    var p55 = 0
    var p56 = 0
    var p57 = 0
    var p58 = 0
    var p59 = 0
    var p60: Int?
    var p61: Int?
    var p62: Int?
    var p63: Int?
    var p64: Int?
    var p65: Int?
    @Encrypted var auditor = "nobody"
  }
}

/// Versions of `V1.Truck` with one property more, each of another kind.
enum OneMore {
  @Entity final class Crate { var weight = 0 }

  enum Value {
    @Entity final class Truck {
      var name = ""
      var wheels = 4
    }
  }

  enum Child {
    @Entity final class Truck {
      var name = ""
      var crate: Crate?
    }
  }

  enum Children {
    @Entity final class Truck {
      var name = ""
      var crates: [Crate] = []
    }
  }

  enum Reference {
    @Entity final class Truck {
      var name = ""
      var crate: Link<Crate>?
    }
  }

  enum References {
    @Entity final class Truck {
      var name = ""
      var crates = Links<Crate>()
    }
  }

  enum Sealed {
    @Entity final class Truck {
      var name = ""
      @Encrypted var secret: String?
    }
  }

  enum Unique {
    @Entity final class Truck {
      var name = ""
      @Column(unique: true) var number = 0
    }
  }

  enum Unstorable {
    @Entity final class Truck {
      var name = ""
      var weight = Double.nan
    }
  }
}

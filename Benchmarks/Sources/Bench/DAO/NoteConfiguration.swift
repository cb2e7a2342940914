/// What the DAO does, and the same statements as the floor has them.
enum NoteConfiguration {
  private static let columns = "name, color, power, weight, year"
  private static let definition =
    "(id INTEGER PRIMARY KEY, name TEXT, color TEXT, power INTEGER, weight REAL, year INTEGER)"

  static let table = "CREATE TABLE notes \(definition)"
  static let insert = "INSERT INTO notes (\(columns)) VALUES (?, ?, ?, ?, ?)"
  static let clear = "DELETE FROM notes"
  static let all = "SELECT \(columns) FROM notes"
  static let one = all + " WHERE id = ?"
  static let name = "SELECT name FROM notes WHERE id = ?"
  /// What the dynamic select comes to.
  static let found = """
    SELECT name FROM notes WHERE power >= ? AND year >= ? AND id IN (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
    """

  static let xml = """
    <module name="notes" tableName="notes" initializer="make">
      <update id="make">CREATE TABLE IF NOT EXISTS ${T} \(definition)</update>
      <update id="clear">DELETE FROM ${T}</update>
      <map id="note" result="Note"/>
      <map id="sample" result="Sample"/>
      <insert id="add" arguments="notes" foreach="notes.note">
        INSERT INTO ${T} (\(columns))
        VALUES (#{note.name}, #{note.color}, #{note.power}, #{note.weight}, #{note.year})
      </insert>
      <select id="notes" result="[:note]">SELECT \(columns) FROM ${T}</select>
      <select id="samples" result="[:sample]">SELECT \(columns) FROM ${T}</select>
      <select id="note" arguments="id" result=":note">
        SELECT \(columns) FROM ${T} WHERE id = #{id}
      </select>
      <select id="name" arguments="id" result="string">SELECT name FROM ${T} WHERE id = #{id}</select>
      <select id="find" arguments="power, year, color, ids" result="[string]">
        SELECT name FROM ${T}
        <where>
          <if true="power != nil">power &gt;= #{power}</if>
          <if true="year != nil">AND year &gt;= #{year}</if>
          <if true="color != nil">AND color = #{color}</if>
          <foreach item="id" collection="ids" open="AND id IN (" separator=", " close=")">#{id}</foreach>
        </where>
      </select>
    </module>
    """
}

/// What the DAO does, and the same statements as the floor has them.
enum NoteConfiguration {
  static let table = """
    CREATE TABLE notes (id INTEGER PRIMARY KEY, name TEXT, color TEXT, power INTEGER, weight REAL, year INTEGER)
    """
  static let insert = """
    INSERT INTO notes (name, color, power, weight, year) VALUES (?, ?, ?, ?, ?)
    """
  static let clear = "DELETE FROM notes"
  static let all = "SELECT name, color, power, weight, year FROM notes"
  static let one = all + " WHERE id = ?"
  static let name = "SELECT name FROM notes WHERE id = ?"
  /// What the dynamic select comes to.
  static let found = """
    SELECT name FROM notes WHERE power >= ? AND year >= ? AND id IN (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
    """

  static let xml = """
    <module name="notes" tableName="notes" initializer="make">
      <update id="make">CREATE TABLE IF NOT EXISTS ${T} (id INTEGER PRIMARY KEY, name TEXT, color TEXT,
        power INTEGER, weight REAL, year INTEGER)</update>
      <update id="clear">DELETE FROM ${T}</update>
      <map id="note" result="Note"/>
      <map id="sample" result="Sample"/>
      <insert id="add" arguments="notes" foreach="notes.note">
        INSERT INTO ${T} (name, color, power, weight, year)
        VALUES (#{note.name}, #{note.color}, #{note.power}, #{note.weight}, #{note.year})
      </insert>
      <select id="notes" result="[:note]">SELECT name, color, power, weight, year FROM ${T}</select>
      <select id="samples" result="[:sample]">SELECT name, color, power, weight, year FROM ${T}</select>
      <select id="note" arguments="id" result=":note">
        SELECT name, color, power, weight, year FROM ${T} WHERE id = #{id}
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

import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.Statement;

/** Fills a table of the HSQLDB database that the first argument names with fifty users. */
public class Users {
    public static void main(String[] args) throws Exception {
        Class.forName("org.hsqldb.jdbcDriver");
        try (Connection database = DriverManager.getConnection(args[0], "sa", "")) {
            Statement statement = database.createStatement();
            statement.execute("CREATE TABLE USERS (ID INT PRIMARY KEY, NAME VARCHAR(20), CITY VARCHAR(20))");
            for (int id = 0; id < 50; id++) {
                statement.execute("INSERT INTO USERS VALUES (" + id + ", 'name " + id + "', 'city " + id % 7 + "')");
            }
        }
    }
}

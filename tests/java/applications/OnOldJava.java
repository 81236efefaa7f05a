import java.util.Arrays;

/**
 * Runs the main method of the class that the first argument names, after telling it of an older Java: programs that take
 * "17" for no version, or for one that is too old, do not start otherwise. As an agent it does so in any JVM, a child's too.
 */
public class OnOldJava {
    public static void premain(String options) {
        System.setProperty("java.version", "1.7.0_80");
    }

    public static void main(String[] args) throws Exception {
        premain(null);
        String[] rest = Arrays.copyOfRange(args, 1, args.length);
        Class.forName(args[0]).getMethod("main", String[].class).invoke(null, (Object) rest);
    }
}

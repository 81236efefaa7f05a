import java.io.BufferedReader;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.OutputStream;
import java.io.PrintStream;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.nio.charset.StandardCharsets;
import java.security.Permission;
import java.util.Arrays;
import java.util.Base64;
import java.util.concurrent.Semaphore;

/**
 * Runs main methods of Hadoop's client classes, each in a thread of its own, in one JVM: a JVM per command costs
 * seconds. Reads a line per command, {@code number TAB class TAB argument...}; answers with a line at its end,
 * {@code number TAB exit code TAB standard output TAB standard error}, the last two in base 64.
 */
public class ClientShell {
  /**
   * Held by the one command that has said nothing yet: the library that reads command lines keeps its state in static
   * fields, so no two commands may be at that at a time.
   */
  static final class Turn {
    static final Semaphore FREE = new Semaphore(1);
    private boolean held;

    synchronized void take() {
      FREE.acquireUninterruptibly();
      held = true;
    }

    synchronized void pass() {
      if (held) {
        held = false;
        FREE.release();
      }
    }
  }

  static final InheritableThreadLocal<Turn> TURN = new InheritableThreadLocal<>();

  /** What a command's thread and the threads that it starts print. */
  static final class Routed extends OutputStream {
    final InheritableThreadLocal<ByteArrayOutputStream> target = new InheritableThreadLocal<>();

    @Override
    public void write(int octet) {
      ByteArrayOutputStream out = target.get();
      if (out != null) {
        out.write(octet);
        TURN.get().pass();
      }
    }

    @Override
    public void write(byte[] octets, int from, int count) {
      ByteArrayOutputStream out = target.get();
      if (out != null) {
        out.write(octets, from, count);
        TURN.get().pass();
      }
    }
  }

  /** Ends a command in place of the JVM; the first code counts, as drivers catch what ends a program. */
  static final class ExitCalled extends SecurityException {
    private static final long serialVersionUID = 1;
  }

  static final InheritableThreadLocal<int[]> EXIT = new InheritableThreadLocal<>();

  static final class NoExit extends SecurityManager {
    @Override
    public void checkPermission(Permission permission) {
    }

    @Override
    public void checkExit(int code) {
      int[] exit = EXIT.get();
      if (exit != null) {
        if (exit[0] < 0) {
          exit[0] = code & 255;
        }
        throw new ExitCalled();
      }
    }
  }

  public static void main(String[] args) throws IOException {
    PrintStream answers = System.out;
    Routed out = new Routed();
    Routed err = new Routed();
    System.setOut(new PrintStream(out, true));
    System.setErr(new PrintStream(err, true));
    System.setSecurityManager(new NoExit());
    BufferedReader commands = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
    for (String line = commands.readLine(); line != null; line = commands.readLine()) {
      String[] words = line.split("\t", -1);
      Thread thread = new Thread(() -> {
        out.target.set(new ByteArrayOutputStream());
        err.target.set(new ByteArrayOutputStream());
        Turn turn = new Turn();
        TURN.set(turn);
        turn.take();
        int code = run(words[1], Arrays.copyOfRange(words, 2, words.length));
        turn.pass();
        Base64.Encoder base64 = Base64.getEncoder();
        String answer = words[0] + "\t" + code + "\t" + base64.encodeToString(out.target.get().toByteArray()) + "\t"
            + base64.encodeToString(err.target.get().toByteArray());
        synchronized (answers) {
          answers.println(answer);
          answers.flush();
        }
      });
      thread.start();
    }
    Runtime.getRuntime().halt(0);
  }

  private static int run(String name, String[] args) {
    int[] exit = {-1};
    EXIT.set(exit);
    try {
      Method main = Class.forName(name).getMethod("main", String[].class);
      main.setAccessible(true);
      main.invoke(null, (Object) args);
    } catch (InvocationTargetException failure) {
      if (exit[0] < 0) {
        exit[0] = 1;
        failure.getCause().printStackTrace();
      }
    } catch (ReflectiveOperationException failure) {
      exit[0] = 1;
      failure.printStackTrace();
    }
    return Math.max(exit[0], 0);
  }
}

// Writes files in Hadoop's formats, or reads what another program wrote there, for each codec that needs no native library.
package org.apache.hadoop.mapred;

import java.io.*;
import java.util.zip.CRC32;

import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.*;
import org.apache.hadoop.io.*;
import org.apache.hadoop.io.compress.*;
import org.apache.hadoop.util.ReflectionUtils;

public class Codecs {
    static final int RECORDS = 200;
    static final JobConf CONF = new JobConf();

    static CompressionCodec codec(Class<? extends CompressionCodec> type) {
        return ReflectionUtils.newInstance(type, CONF);
    }

    static Text key(int n) {
        return new Text("key " + n);
    }

    static Text value(int n) {
        return new Text("value " + (n * 7919 % 1000) + " and some more text");
    }

    static void writeSequence(FileSystem fs, Path file, SequenceFile.CompressionType type, CompressionCodec codec)
            throws IOException {
        SequenceFile.Writer writer = SequenceFile.createWriter(fs, CONF, file, Text.class, Text.class, type, codec);
        for (int n = 0; n < RECORDS; n++) writer.append(key(n), value(n));
        writer.close();
    }

    static void writeSegment(FileSystem fs, Path file, CompressionCodec codec) throws IOException {
        IFile.Writer<Text, Text> writer = new IFile.Writer<Text, Text>(CONF, fs, file, Text.class, Text.class, codec, null);
        for (int n = 0; n < RECORDS; n++) writer.append(key(n), value(n));
        writer.close();
    }

    static void writeText(File file, CompressionCodec codec) throws IOException {
        OutputStream out = codec.createOutputStream(new FileOutputStream(file));
        for (int n = 0; n < RECORDS; n++) out.write((key(n) + "\t" + value(n) + "\n").getBytes("UTF-8"));
        out.close();
    }

    static void tell(String name, int records, CRC32 crc) {
        System.out.println(name + "\t" + records + "\t" + Long.toHexString(crc.getValue()));
    }

    static void add(CRC32 crc, byte[] bytes, int len) {
        crc.update(bytes, 0, len);
        crc.update('\n');
    }

    static void readSequence(FileSystem fs, Path file) throws IOException {
        SequenceFile.Reader reader = new SequenceFile.Reader(fs, file, CONF);
        CRC32 crc = new CRC32();
        Text key = new Text(), value = new Text();
        int records = 0;
        for (; reader.next(key, value); records++) {
            add(crc, key.getBytes(), key.getLength());
            add(crc, value.getBytes(), value.getLength());
        }
        tell(file.getName(), records, crc);
    }

    static void readSegment(FileSystem fs, Path file, CompressionCodec codec) throws IOException {
        IFile.Reader<Text, Text> reader = new IFile.Reader<Text, Text>(CONF, fs, file, codec, null);
        CRC32 crc = new CRC32();
        DataInputBuffer key = new DataInputBuffer(), value = new DataInputBuffer();
        Text text = new Text();
        int records = 0;
        for (; reader.next(key, value); records++) {
            text.readFields(key);
            add(crc, text.getBytes(), text.getLength());
            text.readFields(value);
            add(crc, text.getBytes(), text.getLength());
        }
        tell(file.getName(), records, crc);
    }

    static void readText(File file, CompressionCodec codec) throws IOException {
        InputStream in = codec.createInputStream(new FileInputStream(file));
        CRC32 crc = new CRC32();
        byte[] buffer = new byte[4096];
        int lines = 0;
        for (int read; (read = in.read(buffer)) > 0; ) {
            crc.update(buffer, 0, read);
            for (int at = 0; at < read; at++) if (buffer[at] == '\n') lines++;
        }
        tell(file.getName(), lines, crc);
    }

    @SuppressWarnings("unchecked")
    public static void main(String[] args) throws Exception {
        boolean write = args[0].equals("write");
        File dir = new File(args[1]);
        FileSystem fs = FileSystem.getLocal(CONF);
        for (Class<?> type : new Class<?>[] {DefaultCodec.class, BZip2Codec.class}) {
            CompressionCodec codec = codec((Class<? extends CompressionCodec>) type);
            String name = type.getSimpleName();
            for (SequenceFile.CompressionType kind :
                    new SequenceFile.CompressionType[] {SequenceFile.CompressionType.RECORD, SequenceFile.CompressionType.BLOCK}) {
                Path file = new Path(dir.getPath(), kind + "-" + name);
                if (write) writeSequence(fs, file, kind, codec); else readSequence(fs, file);
            }
            Path file = new Path(dir.getPath(), "segment-" + name);
            if (write) writeSegment(fs, file, codec); else readSegment(fs, file, codec);
        }
        for (Class<?> type : new Class<?>[] {DefaultCodec.class, GzipCodec.class, BZip2Codec.class}) {
            CompressionCodec codec = codec((Class<? extends CompressionCodec>) type);
            File file = new File(dir, "text" + codec.getDefaultExtension());
            if (write) writeText(file, codec); else readText(file, codec);
        }
    }
}

import java.io.File;
import java.io.IOException;
import org.apache.avro.Schema;
import org.apache.avro.file.DataFileReader;
import org.apache.avro.file.DataFileWriter;
import org.apache.avro.generic.GenericData;
import org.apache.avro.generic.GenericDatumReader;
import org.apache.avro.generic.GenericDatumWriter;
import org.apache.avro.generic.GenericRecord;
import org.apache.avro.mapred.AvroCollector;
import org.apache.avro.mapred.AvroJob;
import org.apache.avro.mapred.AvroMapper;
import org.apache.avro.mapred.AvroReducer;
import org.apache.avro.mapred.Pair;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.conf.Configured;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.mapred.FileInputFormat;
import org.apache.hadoop.mapred.FileOutputFormat;
import org.apache.hadoop.mapred.JobClient;
import org.apache.hadoop.mapred.JobConf;
import org.apache.hadoop.mapred.Reporter;
import org.apache.hadoop.util.Tool;
import org.apache.hadoop.util.ToolRunner;

/**
 * Sums the milliseconds of visits by page, from an Avro file into another: Avro's own formats, serialization and shuffle
 * order. Arguments: an input folder that it fills, an output folder. Prints what it wrote.
 */
public class AvroVisits extends Configured implements Tool {
    static final Schema VISIT = new Schema.Parser().parse(
        "{\"type\":\"record\",\"name\":\"Visit\",\"fields\":["
            + "{\"name\":\"page\",\"type\":\"string\"},{\"name\":\"ms\",\"type\":\"long\"}]}");

    public static class ByPage extends AvroMapper<GenericRecord, Pair<CharSequence, Long>> {
        @Override
        public void map(GenericRecord visit, AvroCollector<Pair<CharSequence, Long>> out, Reporter reporter)
                throws IOException {
            out.collect(new Pair<CharSequence, Long>((CharSequence) visit.get("page"), (Long) visit.get("ms")));
        }
    }

    public static class Sum extends AvroReducer<CharSequence, Long, Pair<CharSequence, Long>> {
        @Override
        public void reduce(CharSequence page, Iterable<Long> all, AvroCollector<Pair<CharSequence, Long>> out,
                Reporter reporter) throws IOException {
            long sum = 0;
            for (long ms : all) {
                sum += ms;
            }
            out.collect(new Pair<CharSequence, Long>(page, sum));
        }
    }

    public int run(String[] args) throws Exception {
        File input = new File(args[0]);
        input.mkdirs();
        for (int file = 0; file < 2; file++) {
            try (DataFileWriter<GenericRecord> out =
                    new DataFileWriter<GenericRecord>(new GenericDatumWriter<GenericRecord>(VISIT))) {
                out.create(VISIT, new File(input, "visits-" + file + ".avro"));
                for (long at = 0; at < 500; at++) {
                    GenericRecord visit = new GenericData.Record(VISIT);
                    visit.put("page", "/page-" + at * (file + 3) % 17);
                    visit.put("ms", at * at % 91);
                    out.append(visit);
                }
            }
        }
        JobConf job = new JobConf(getConf(), AvroVisits.class);
        FileInputFormat.setInputPaths(job, new Path(args[0]));
        FileOutputFormat.setOutputPath(job, new Path(args[1]));
        AvroJob.setInputSchema(job, VISIT);
        AvroJob.setOutputSchema(job,
            Pair.getPairSchema(Schema.create(Schema.Type.STRING), Schema.create(Schema.Type.LONG)));
        AvroJob.setMapperClass(job, ByPage.class);
        AvroJob.setReducerClass(job, Sum.class);
        JobClient.runJob(job);
        File part = new File(args[1], "part-00000.avro");
        try (DataFileReader<GenericRecord> in =
                new DataFileReader<GenericRecord>(part, new GenericDatumReader<GenericRecord>())) {
            for (GenericRecord pair : in) {
                System.out.println(pair.get("key") + "\t" + pair.get("value"));
            }
        }
        return 0;
    }

    public static void main(String[] args) throws Exception {
        System.exit(ToolRunner.run(new Configuration(), new AvroVisits(), args));
    }
}

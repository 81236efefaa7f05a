import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.HBaseConfiguration;
import org.apache.hadoop.hbase.HColumnDescriptor;
import org.apache.hadoop.hbase.HTableDescriptor;
import org.apache.hadoop.hbase.client.HBaseAdmin;
import org.apache.hadoop.hbase.client.HTable;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.util.Bytes;

/** Makes the table "visits" in HBase, in two regions, and fills it with a hundred rows. */
public class HBaseVisits {
    public static void main(String[] args) throws Exception {
        Configuration conf = HBaseConfiguration.create();
        HTableDescriptor visits = new HTableDescriptor("visits");
        visits.addFamily(new HColumnDescriptor("page"));
        new HBaseAdmin(conf).createTable(visits, new byte[][] {Bytes.toBytes("row-150")});
        HTable table = new HTable(conf, "visits");
        for (int row = 0; row < 100; row++) {
            Put put = new Put(Bytes.toBytes("row-" + (100 + row)));
            put.add(Bytes.toBytes("page"), Bytes.toBytes("name"), 1000L + row, Bytes.toBytes("/page-" + row % 9));
            table.put(put);
        }
        table.close();
    }
}

"""A streaming job as a task of luigi's: streaming's jar, the text, where counts go. It prints what luigi took for the page of
the job, and whether it opens."""
import sys
import types
import urllib.request

# luigi 3.8.1 comes without this module of its own, which only its Python mappers need, and imports it all the same.
sys.modules['luigi.contrib.mrrunner'] = types.ModuleType('luigi.contrib.mrrunner')

import luigi
import luigi.contrib.hadoop_jar
from luigi.contrib.hdfs import HdfsTarget


class Text(luigi.ExternalTask):
    path = luigi.Parameter()

    def output(self):
        return HdfsTarget(self.path)


class Words(luigi.contrib.hadoop_jar.HadoopJarJobTask):
    streaming = luigi.Parameter()
    text = luigi.Parameter()
    counts = luigi.Parameter()

    def requires(self):
        return Text(self.text)

    def output(self):
        return HdfsTarget(self.counts)

    def jar(self):
        return self.streaming

    def ssh(self):
        return None

    def args(self):
        mapper = 'tr " " "\\n"'
        return ['-input', self.input(), '-output', self.output(), '-mapper', mapper, '-reducer', 'uniq -c']

    def run(self):
        # The worker has put its own there.
        pass_on = self.set_tracking_url

        def note(url):
            with urllib.request.urlopen(url, timeout=60) as page:
                print('tracking:', url, page.status, flush=True)
            pass_on(url)

        self.set_tracking_url = note
        super().run()


if __name__ == '__main__':
    sys.exit(0 if luigi.build([Words(*sys.argv[1:])], local_scheduler=True, workers=1) else 1)

"""Words by how often they stand in a text: two streaming steps of mrjob's, or with --only-count the first of them."""
from mrjob.job import MRJob
from mrjob.step import MRStep


class WordsByCount(MRJob):
    def configure_args(self):
        super().configure_args()
        self.add_passthru_arg('--only-count', action='store_true')

    def steps(self):
        count = MRStep(mapper=self.words, combiner=self.add, reducer=self.add)
        turn = MRStep(mapper=self.by_count, reducer=self.gather)
        return [count] if self.options.only_count else [count, turn]

    def words(self, _, line):
        self.increment_counter('text', 'lines')
        for word in line.split():
            yield word, 1

    def add(self, word, counts):
        yield word, sum(counts)

    def by_count(self, word, count):
        yield '%06d' % count, word

    def gather(self, count, words):
        yield int(count), sorted(words)


if __name__ == '__main__':
    WordsByCount.run()

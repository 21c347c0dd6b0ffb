import { judge, writeJudgedCollection } from "../test/support/judged/collection-on-disk.ts";
import { JUDGED } from "../test/support/judged/queries.ts";

/** How often the search has what a person meant first: `npm run bench -- judged`. See bench/README.md. */
const collection = await writeJudgedCollection(Date.now());
try {
	const verdicts = await judge(JUDGED, collection);
	const right = verdicts.filter(({ isRight }) => isRight).length;
	const near = verdicts.filter(({ isNear }) => isNear).length;
	process.stdout.write("| measure | goal | result |\n|---|---|---|\n");
	process.stdout.write(
		`| the session and the entry that were meant are first | 58 of ${verdicts.length} | ${right} |\n`,
	);
	process.stdout.write(`| the session is among the first three | all ${verdicts.length} | ${near} |\n`);
	for (const { query, place, isRight, answer } of verdicts)
		if (!isRight) process.stdout.write(`\n${query}: place ${place ?? "none"}; ${answer}\n`);
} finally {
	await collection.remove();
}

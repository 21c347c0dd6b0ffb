import type { Worker } from "node:worker_threads";
import { expect, onTestFinished, test } from "vitest";
import { TimeSlice } from "../../../src/shared/steps.ts";
import { openCounting } from "../../support/counting.ts";
import { assistant, header, lines, toolResult, user } from "../../support/session-builder.ts";
import { tempAgentDir } from "../../support/temp-dir.ts";

const time = (second: number): string => new Date(Date.UTC(2026, 0, 1) + second * 1000).toISOString();
const talk = (name: string): readonly string[] => [
	user(`${name}1`, null, 1, `begin ${name}`),
	assistant(`${name}2`, `${name}1`, 2, "yes"),
	toolResult(`${name}3`, `${name}2`, 3, "done"),
	assistant(`${name}4`, `${name}2`, 4, "on another branch"),
];

/** Sessions by the second in which they began: the first counts what the others have copied of it. */
function sessionsIn({ write, root }: ReturnType<typeof tempAgentDir>): readonly string[] {
	const file = (name: string, second: number, ...entries: readonly string[]): string =>
		write(`--p--/${name}.jsonl`, lines(header({ id: name, timestamp: time(second) }), ...entries));
	const parentSession = `${root}/--p--/c.jsonl`;
	const begun = header({ id: "f", timestamp: time(7), parentSession });
	return [
		file("a", 1, ...talk("a")),
		file("b", 2, ...talk("b")),
		file("c", 3, ...talk("c")),
		file("copy-of-a", 4, ...talk("a"), assistant("x5", "a4", 5, "more")),
		file("d", 5, ...talk("d"), "{broken"),
		file("copy-of-d", 6, ...talk("d"), assistant("x6", "d4", 5, "more")),
		write("--p--/fork-of-c.jsonl", lines(begun, ...talk("c"), assistant("x7", "c4", 8, "in the fork"))),
		file("e", 8, ...talk("e")),
	];
}

test("what a second thread has counted is what one thread counts, also of copies and forks", async () => {
	const [one, two] = [tempAgentDir(), tempAgentDir()];
	const [alone, helped] = [await openCounting(one.root, one.cache), await openCounting(two.root, two.cache)];
	alone.list(...sessionsIn(one));
	await alone.count();

	const paths = sessionsIn(two);
	helped.list(...paths);
	let messages = 0;
	let arrived = Promise.withResolvers<void>();
	let helper: Worker | undefined;
	const onWorker = (worker: Worker): void => {
		helper = worker;
		worker.on("message", () => {
			messages += 1;
			arrived.resolve();
			arrived = Promise.withResolvers();
		});
	};
	process.on("worker", onWorker);
	onTestFinished(() => void process.off("worker", onWorker));
	/** While this thread is at the first session, the other one counts all but that and the fork. */
	class Waiting extends TimeSlice {
		override shouldYield(): boolean {
			return true;
		}
		override async yieldToEventLoop(): Promise<void> {
			await new Promise(setImmediate);
			while (helper !== undefined && messages < paths.length - 2) await arrived.promise;
		}
	}
	const progress: string[] = [];
	const pass = helped.pass({
		helpFrom: 1,
		timeSlice: new Waiting(),
		onProgress: (counted, total) => progress.push(`${counted}/${total}`),
	});
	await pass.run();
	await pass.close();

	expect(messages).toBe(paths.length - 2);
	expect(progress.at(-1)).toBe("8/8");
	const rootless = (value: unknown): string => JSON.stringify(value, plain).replaceAll(two.root, one.root);
	for (const path of paths) {
		const same = path.replace(two.root, one.root);
		expect(rootless(helped.numbers(path)), path).toBe(JSON.stringify(alone.numbers(same), plain));
		expect(helped.rows.get(path)?.row.diagnostics, path).toEqual(alone.rows.get(same)?.row.diagnostics);
	}
	// It would be a poor test if nothing were counted for another session.
	expect(alone.numbers(paths[3]?.replace(two.root, one.root) ?? "").others.length).toBeGreaterThan(0);
});

/** Maps and sets as arrays; without the times of the files, which were written one after the other, and without hashes of their paths. */
function plain(key: string, value: unknown): unknown {
	if (key === "mtimeMs" || key === "fingerprint") return undefined;
	return value instanceof Map || value instanceof Set ? [...value] : value;
}

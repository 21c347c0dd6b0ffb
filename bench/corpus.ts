import { closeSync, mkdirSync, openSync, utimesSync, writeSync } from "node:fs";
import { join } from "node:path";
import { makeProse } from "./prose.ts";
import { seededRandom } from "./random.ts";
import { sessionLines } from "./session-lines.ts";

export interface CorpusOptions {
	/** Directory that gets `sessions/--project--/*.jsonl`, like pi's agent directory. */
	readonly agentDir: string;
	readonly sessions: number;
	/** Approximate total, spread as in real life: many small sessions, few large ones. */
	readonly bytes: number;
	/** @default 1 */
	readonly seed?: number;
	/** Number of words. Many: some are truly rare. Few: parts of words are in nearly every session. @default few */
	readonly vocabulary?: number | undefined;
}

export interface Corpus {
	readonly agentDir: string;
	readonly root: string;
	/** Paths of all sessions, oldest first. */
	readonly files: readonly string[];
	readonly bytes: number;
}

const start = Date.UTC(2026, 0, 5, 8);
const minute = 60_000;

/** Writes a collection of sessions in pi's own format and key order; the same options always give the same bytes. */
export function makeCorpus(options: CorpusOptions): Corpus {
	const random = seededRandom(options.seed ?? 1);
	const prose = makeProse(random, options.vocabulary);
	const root = join(options.agentDir, "sessions");
	const projects = Array.from(
		{ length: Math.max(1, Math.ceil(options.sessions / 40)) },
		(_, i) => `/home/dev/work/project-${i}`,
	);
	const weights = Array.from({ length: options.sessions }, () => Math.exp(2.2 * (random.next() + random.next() - 1)));
	const weightSum = weights.reduce((sum, weight) => sum + weight, 0);
	const files: string[] = [];
	let bytes = 0;
	for (const [index, weight] of weights.entries()) {
		const cwd = random.pick(projects);
		const directory = join(root, `--${cwd.slice(1).replaceAll("/", "-")}--`);
		mkdirSync(directory, { recursive: true });
		const began = start + index * 90 * minute;
		const id = `${random.hex(8)}-${random.hex(4)}-7${random.hex(3)}-a${random.hex(3)}-${random.hex(12)}`;
		const file = join(directory, `${new Date(began).toISOString().replace(/[:.]/g, "-")}_${id}.jsonl`);
		const parentSession = files.length > 0 && random.next() < 0.08 ? random.pick(files) : undefined;
		const target = (options.bytes * weight) / weightSum;
		const fd = openSync(file, "w");
		let clock = began;
		let size = 0;
		for (const line of sessionLines({ random, prose, id, cwd, parentSession, began, target })) {
			size += writeSync(fd, line.text);
			clock = line.time;
		}
		closeSync(fd);
		utimesSync(file, clock / 1000, clock / 1000);
		bytes += size;
		files.push(file);
	}
	return { agentDir: options.agentDir, root, files, bytes };
}

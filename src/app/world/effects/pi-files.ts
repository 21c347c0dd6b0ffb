import { realpath } from "node:fs/promises";
import {
	compactionSettings,
	type KnownModel,
	type ModelLists,
	modelFacts,
	type PiFacts,
	type PiRequest,
} from "../../../conversation/glance/pi-facts.ts";
import { modelKey } from "../../../conversation/glance/usage.ts";
import { dirname, join } from "../../../shared/paths.ts";
import type { Env } from "../../../shared/system.ts";
import { openFileAsync } from "../../../store/files/open-file.ts";
import { fieldsOf, textOf } from "../../../store/format/fields.ts";
import { findProgram, isDirectoryAsync } from "./find-program.ts";

/** Where pi's package has its lists of models, below a directory that it may be installed in. */
const LISTS = join("node_modules", "@earendil-works", "pi-ai", "dist", "providers", "data");
/** pi's own files are smaller. */
const MAX_BYTES = 8 * 1024 * 1024;

/** Reads pi's files without running pi. A file that cannot be read, or is not JSON, counts as missing. */
export interface PiFiles {
	read(request: PiRequest): Promise<PiFacts>;
}

export function createPiFiles(options: {
	/** The program that resumes a session: its package has the lists of models. */
	readonly pi: string;
	readonly env: Env;
	readonly agentDir: string;
}): PiFiles {
	const { agentDir } = options;
	const files = new Map<string, Parsed>();
	/** Files being read: all models of a session are requested at once, most of them from the same files. */
	const reading = new Map<string, Promise<unknown>>();
	const readJson = (path: string): Promise<unknown> => {
		const result = reading.get(path) ?? readIfChanged(path);
		reading.set(path, result);
		return result;
	};
	const readIfChanged = async (path: string): Promise<unknown> => {
		try {
			const parsed = await readParsed(path, files.get(path));
			files.set(path, parsed);
			return parsed.value;
		} finally {
			reading.delete(path);
		}
	};

	/** Searched for once: after installing pi, people start this program again. */
	let lists: Promise<string | undefined> | undefined;

	async function listsOf(provider: string): Promise<ModelLists> {
		lists ??= findLists(options.pi, options.env);
		const dir = await lists;
		const [builtIn, manifest, fetched, own] = await Promise.all([
			dir === undefined || !isFileName(provider) ? undefined : readJson(join(dir, `${provider}.json`)),
			dir === undefined ? undefined : readJson(join(dir, ".manifest.json")),
			readJson(join(agentDir, "models-store.json")),
			readJson(join(agentDir, "models.json")),
		]);
		const builtInMs = Date.parse(textOf(fieldsOf(manifest).generatedAt));
		return {
			builtIn,
			builtInMs: Number.isNaN(builtInMs) ? undefined : builtInMs,
			fetched: fieldOf(fetched, provider),
			own: fieldOf(fieldsOf(own).providers, provider),
		};
	}

	return {
		async read({ cwd, models }) {
			const settings = await Promise.all(
				[join(cwd, ".pi", "settings.json"), join(agentDir, "settings.json")].map(readJson),
			);
			const knownModels = await Promise.all(
				models.map(async (name): Promise<[string, KnownModel]> => {
					const lists = await listsOf(name.provider);
					const facts = modelFacts(name, lists);
					const isListed = lists.builtIn !== undefined;
					return [modelKey(name), { facts, isListed, compaction: compactionSettings(settings, name) }];
				}),
			);
			return { hasDirectory: await isDirectoryAsync(cwd), models: new Map(knownModels) };
		},
	};
}

/** The directory with the lists, near the package that the program belongs to, however that was installed. */
async function findLists(pi: string, env: Env): Promise<string | undefined> {
	const program = await findProgram(pi, env);
	if (program === undefined) return undefined;
	let dir = dirname(await realpath(program).catch(() => program));
	for (;;) {
		if (await isDirectoryAsync(join(dir, LISTS))) return join(dir, LISTS);
		const above = dirname(dir);
		if (above === dir) return undefined;
		dir = above;
	}
}

interface Parsed {
	readonly mtimeMs: number;
	readonly size: number;
	readonly value: unknown;
}

const NOTHING: Parsed = { mtimeMs: 0, size: -1, value: undefined };

async function readParsed(path: string, before: Parsed | undefined): Promise<Parsed> {
	try {
		const { handle, stats } = await openFileAsync(path);
		try {
			const { mtimeMs, size } = stats;
			if (before?.mtimeMs === mtimeMs && before.size === size) return before;
			const value: unknown = size > MAX_BYTES ? undefined : parse(await handle.readFile("utf8"));
			return { mtimeMs, size, value };
		} finally {
			await handle.close();
		}
	} catch {
		return NOTHING;
	}
}

function parse(text: string): unknown {
	const json = text.replace(/^\uFEFF/, "");
	try {
		return JSON.parse(json);
	} catch {
		return JSON.parse(withoutComments(json));
	}
}

function fieldOf(value: unknown, name: string): unknown {
	const fields = fieldsOf(value);
	return Object.hasOwn(fields, name) ? fields[name] : undefined;
}

/** Whether a provider's name can be a file name: it comes from a session, and may be anything. */
function isFileName(name: string): boolean {
	return /^[\w-]{1,64}$/.test(name);
}

/** The JSON that pi allows in `models.json`, with comments and trailing commas, as plain JSON. */
function withoutComments(json: string): string {
	return withoutMatches(withoutMatches(json, /"(?:\\.|[^"\\])*"|\/\/[^\n]*/g), /"(?:\\.|[^"\\])*"|,(?=\s*[}\]])/g);
}

/** Removes the matches of a pattern, except those that are strings, which may contain anything. */
function withoutMatches(json: string, pattern: RegExp): string {
	return json.replace(pattern, (part) => (part.startsWith('"') ? part : ""));
}

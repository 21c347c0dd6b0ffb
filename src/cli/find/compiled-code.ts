import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { fileURLToPath } from "node:url";
import type { Script } from "node:vm";
import packageFile from "../../../package.json";
import { defaultCacheDir } from "../../catalog/model/session-roots.ts";
import { dirname, join } from "../../shared/paths.ts";
import { readSmallFile } from "../../store/files/open-file.ts";
import { removePathSync, renamePathSync } from "../../store/files/while-busy.ts";

/**
 * A group of commands in the bundle (esbuild.config.mjs): a script with one function of these parameters, which returns for each
 * of its modules what loads it.
 */
type Program<Modules> = (
	require: NodeJS.Require,
	moduleUrl: string,
	importModule: (specifier: string) => Promise<unknown>,
) => Promise<Modules>;

interface UnkeptProgram {
	readonly script: Script;
	readonly name: string;
}

/** Begins the names of the directories with compiled code; the version of the program follows. */
const CODE = "code-";
/** Length of the checksum before the code. */
const CHECKSUM_BYTES = 4;

let unkept: UnkeptProgram | undefined;

/** Loads zlib when it is called: help and completions load this module, too. */
const checksumOf = (code: Buffer): number => process.getBuiltinModule("node:zlib").crc32(code);

/**
 * Runs a program of the bundle, with its compiled code if that is kept. `name`: of a file beside the one that this module is in;
 * it changes with the content.
 *
 * Node's own cache (`module.enableCompileCache`) keeps what is compiled before a module runs, also with `flushCompileCache` at the
 * end: its file of a module of 2,000 functions is as large whether all of them were called or none (Node 24.21). Compiling those that
 * the first screen needs takes its thread 110 to 160 ms (218 and 380 ms until that screen, at best of eight in turn on a busy machine).
 *
 * @public esbuild.config.mjs lets the bundle call it.
 */
export async function loadProgram<Modules>(name: string): Promise<Modules> {
	const path = fileURLToPath(new URL(name, import.meta.url));
	const source = readFileSync(path, "utf8");
	const cachedData = readCode(name);
	const vm = process.getBuiltinModule("node:vm");
	const script = new vm.Script(source, { filename: path, ...(cachedData && { cachedData }) });
	if (cachedData === undefined || script.cachedDataRejected) unkept = { script, name };
	const program: Program<Modules> = script.runInThisContext();
	return program(createRequire(import.meta.url), import.meta.url, (specifier) => import(specifier));
}

/**
 * Keeps the compiled code of the program for the next start, in our cache directory, if it is not there yet: all functions that
 * were called until now. Only where there is that directory, which the index makes private. Takes 50 ms for the browser.
 */
export function keepCompiledCode(): void {
	if (unkept === undefined) return;
	const { script, name } = unkept;
	unkept = undefined;
	try {
		const directory = codeDirectory();
		if (!existsSync(dirname(directory))) return;
		removeOthers(directory, name);
		mkdirSync(directory, { recursive: true, mode: 0o700 });
		const code = script.createCachedData();
		const checksum = Buffer.alloc(CHECKSUM_BYTES);
		checksum.writeUInt32LE(checksumOf(code));
		const path = codePath(name);
		writeFileSync(`${path}.${process.pid}`, Buffer.concat([checksum, code]), { mode: 0o600 });
		renamePathSync(`${path}.${process.pid}`, path);
	} catch {
		// Without it the program starts a little slower.
	}
}

/** The kept code of a program; undefined if there is none, or it is damaged, which V8 does not check and does not survive. */
function readCode(name: string): Buffer | undefined {
	try {
		const stored = readSmallFile(codePath(name));
		const code = stored.subarray(CHECKSUM_BYTES);
		return checksumOf(code) === stored.readUInt32LE() ? code : undefined;
	} catch {
		return undefined;
	}
}

/** NODE_COMPILE_CACHE says where Node keeps such code. */
function codeDirectory(): string {
	const cacheDir = process.env.NODE_COMPILE_CACHE ?? defaultCacheDir();
	return join(cacheDir, `${CODE}${packageFile.version}`);
}

function codePath(name: string): string {
	return join(codeDirectory(), `${name}-${process.versions.v8}-${process.arch}`);
}

function removeOthers(directory: string, name: string): void {
	const parent = dirname(directory);
	for (const each of readdirSync(parent)) {
		if (each.startsWith(CODE) && join(parent, each) !== directory)
			removePathSync(join(parent, each), { recursive: true, force: true });
	}
	if (!existsSync(directory)) return;
	const program = name.slice(0, name.indexOf("-") + 1);
	for (const each of readdirSync(directory)) {
		if (each.startsWith(program) && !each.startsWith(name)) removePathSync(join(directory, each), { force: true });
	}
}

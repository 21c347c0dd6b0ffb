/**
 * Runs command lines of the built program one after the other, for `command-process.ts`: `node command-process-child.mjs
 * PROGRAM REQUESTS REPLIES`. Each ends as a process of its own does, when nothing is left to be done.
 */
import { fstatSync, openSync, readSync, writeSync } from "node:fs";
import { registerHooks } from "node:module";
import { StringDecoder } from "node:string_decoder";
import { pathToFileURL } from "node:url";

const [, , program, requestsPath, repliesPath] = process.argv;
const requests = openSync(requestsPath, "r");
const replies = openSync(repliesPath, "w");
const buffer = Buffer.alloc(1 << 16);
const decoder = new StringDecoder("utf8");
let count = 0;
let unread = "";
let isRunning = false;
let hasReturned = false;

/** The commands that may move files to the trash. */
const TRASHING = new Set(["delete", "restore", "undo", "tidy"]);

// What moves files to the trash reads once where that is: for each data directory the commands are loaded anew.
registerHooks({
	resolve(specifier, context, next) {
		const resolved = next(specifier, context);
		const mayTrash = process.argv.slice(2).some((word) => TRASHING.has(word));
		if (!mayTrash || !resolved.url.endsWith("/main.js")) return resolved;
		return { ...resolved, url: `${resolved.url}?${encodeURIComponent(process.env.XDG_DATA_HOME ?? "")}` };
	},
});

// Each time they are loaded, they listen for errors.
for (const stream of [process.stdout, process.stderr]) stream.setMaxListeners(0);

/** The next request, waited for; undefined when there are no more. */
function nextRequest() {
	while (!unread.includes("\n")) {
		const length = readSync(requests, buffer);
		if (length === 0) return undefined;
		unread += decoder.write(buffer.subarray(0, length));
	}
	const end = unread.indexOf("\n");
	const line = unread.slice(0, end);
	unread = unread.slice(end + 1);
	return JSON.parse(line);
}

function reply(code, isLast = false) {
	isRunning = false;
	writeSync(replies, `${JSON.stringify({ code, out: fstatSync(1).size, err: fstatSync(2).size, isLast })}\n`);
}

function begin({ args, env, cwd }) {
	for (const name of Object.keys(process.env)) if (!(name in env)) delete process.env[name];
	Object.assign(process.env, env);
	process.chdir(cwd);
	process.argv = [process.execPath, program, ...args];
	// By which a process tells its own changes from those of others.
	Object.defineProperty(performance, "timeOrigin", { value: performance.timeOrigin + 1, configurable: true });
	process.exitCode = undefined;
	isRunning = true;
	hasReturned = false;
	setImmediate(async () => {
		await import(`${pathToFileURL(program).href}?${++count}`);
		hasReturned = true;
	});
}

process.on("beforeExit", () => {
	// A process that waits for what never comes ends with 13.
	if (isRunning) reply(hasReturned ? (process.exitCode ?? 0) : 13);
	// The directory of the last command line may go.
	process.chdir("/");
	const request = nextRequest();
	if (request !== undefined) begin(request);
});
process.on("exit", (code) => {
	if (isRunning) reply(code, true);
});

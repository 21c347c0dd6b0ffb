/*
 * Loaded before the program (`--import`): breaks session files, each at the moment at which it is read for the first time, after it was
 * listed. `PI_GROVE_TEST_BREAK` is JSON: the paths of the files, and the way. Each thread of the program loads this: the first one that
 * reads a file breaks it, and leaves what it was beside it. A process that runs several command lines is asked anew for each.
 */

import childProcess from "node:child_process";
import fs from "node:fs";
import { syncBuiltinESMExports } from "node:module";

const { openSync, promises } = fs;
const { open } = promises;
const { spawn } = childProcess;
let asked;
let whole = new Set();
let way;

const WAYS = {
	vanishes: () => undefined,
	"is replaced": (path) =>
		fs.writeFileSync(
			path,
			'{"type":"session","version":3,"id":"other","timestamp":"2026-01-01T00:00:00.000Z","cwd":"/o"}\n',
		),
	"becomes a directory": (path) => fs.mkdirSync(path),
	"is cut off": (path, bytes) => fs.writeFileSync(path, bytes.subarray(0, bytes.length >> 1)),
	"cannot be opened": (path) => fs.symlinkSync(path, path),
	"cannot be read": (path) => fs.symlinkSync("/proc/self/mem", path),
};

function breakIn(files) {
	const { PI_GROVE_TEST_BREAK: now = '{"paths":[]}' } = process.env;
	if (now !== asked) {
		const given = JSON.parse(now);
		asked = now;
		whole = new Set(given.paths);
		way = given.way;
	}
	for (const path of files) {
		if (!whole.delete(path)) continue;
		const kept = `${path}.whole`;
		if (fs.existsSync(kept)) continue;
		try {
			fs.renameSync(path, kept);
		} catch {
			continue;
		}
		WAYS[way](path, fs.readFileSync(kept));
	}
}

fs.openSync = (file, ...rest) => {
	breakIn([file]);
	return openSync(file, ...rest);
};
promises.open = (file, ...rest) => {
	breakIn([file]);
	return open(file, ...rest);
};
childProcess.spawn = (command, args, ...rest) => {
	if (Array.isArray(args)) breakIn(args);
	return spawn(command, args, ...rest);
};
syncBuiltinESMExports();

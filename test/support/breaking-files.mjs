/*
 * Loaded before the program (`--import`): breaks a session file at the moment at which it is read for the first time, after it was listed.
 * `PI_GROVE_TEST_BREAK` is JSON: the path of the file, and the way.
 */

import childProcess from "node:child_process";
import fs from "node:fs";
import { syncBuiltinESMExports } from "node:module";

const { path, way } = JSON.parse(process.env.PI_GROVE_TEST_BREAK ?? "{}");
const { openSync, promises } = fs;
const { open } = promises;
const { spawn } = childProcess;
let isBroken = false;

const WAYS = {
	vanishes: () => undefined,
	"is replaced": () =>
		fs.writeFileSync(
			path,
			'{"type":"session","version":3,"id":"other","timestamp":"2026-01-01T00:00:00.000Z","cwd":"/o"}\n',
		),
	"becomes a directory": () => fs.mkdirSync(path),
	"is cut off": (bytes) => fs.writeFileSync(path, bytes.subarray(0, bytes.length >> 1)),
	"cannot be opened": () => fs.symlinkSync(path, path),
	"cannot be read": () => fs.symlinkSync("/proc/self/mem", path),
};

function breakFile() {
	if (isBroken) return;
	isBroken = true;
	const bytes = fs.readFileSync(path);
	fs.rmSync(path, { force: true });
	WAYS[way](bytes);
}

fs.openSync = (file, ...rest) => {
	if (file === path) breakFile();
	return openSync(file, ...rest);
};
promises.open = (file, ...rest) => {
	if (file === path) breakFile();
	return open(file, ...rest);
};
childProcess.spawn = (command, args, ...rest) => {
	if (Array.isArray(args) && args.includes(path)) breakFile();
	return spawn(command, args, ...rest);
};
syncBuiltinESMExports();

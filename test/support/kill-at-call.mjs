// Loaded before the program (`node --import`): ends the process with SIGKILL before a certain call to the file system, counted
// from the first temporary file on. A write that it is killed at has come half way.
import { writeSync } from "node:fs";
import promises from "node:fs/promises";
import { syncBuiltinESMExports } from "node:module";

const killAt = Number(process.env.KILL_AT_CALL);
let calls = 0;
let isCounting = false;

function count(half) {
	if (!isCounting) return;
	calls += 1;
	if (calls !== killAt) return;
	half?.();
	process.kill(process.pid, "SIGKILL");
	// The signal comes when it comes.
	for (;;);
}

const handle = await promises.open(new URL(import.meta.url));
const prototype = Object.getPrototypeOf(handle);
await handle.close();
const { writeFile } = prototype;
prototype.writeFile = function (bytes, ...rest) {
	count(() => writeSync(this.fd, bytes, 0, Math.floor(bytes.length / 2)));
	return writeFile.call(this, bytes, ...rest);
};
for (const name of ["sync", "close", "chmod"]) {
	const real = prototype[name];
	prototype[name] = function (...given) {
		count();
		return real.apply(this, given);
	};
}
for (const name of ["open", "link", "unlink", "rename", "rm", "copyFile"]) {
	const real = promises[name];
	promises[name] = (path, ...given) => {
		if (name === "open" && String(path).startsWith(process.env.KILL_IN)) isCounting = true;
		count();
		return real(path, ...given);
	};
}
syncBuiltinESMExports();

#!/usr/bin/env node
import packageFile from "../package.json" with { type: "json" };

// An old Node must be able to parse this file and print the message, so everything else is imported after the check.
const [major = 0, minor = 0] = process.versions.node.split(".").map(Number);

if (major < 22 || (major === 22 && minor < 19)) {
	process.stderr.write(
		`pi-grove needs Node 22.19 or newer, and this is Node ${process.versions.node}. Install a newer Node, then try again.\n`,
	);
	// The code of a failure: 1 would be an answer.
	process.exitCode = 2;
} else {
	// With both, FORCE_COLOR counts, and Node prints a warning into the errors of every command: one that asks for colors ends it.
	if (/^(?:|1|2|3|true)$/.test(process.env.FORCE_COLOR ?? "0")) delete process.env.NO_COLOR;
	const args = process.argv.slice(2);
	if (!printVersion(args)) {
		const { main } = await import("./cli/main.ts");
		process.exitCode = await main(args);
	}
}

/** Prints the version, if that is all that is asked for, without loading the rest, nor a stream; returns whether it did. */
function printVersion([only, ...others]: readonly string[]): boolean {
	if ((only !== "--version" && only !== "-v") || others.length > 0) return false;
	try {
		process.getBuiltinModule("node:fs").writeSync(1, `pi-grove ${packageFile.version}\n`);
		return true;
	} catch {
		// A full pipe, or a closed one: the stream knows what to do.
		return false;
	}
}

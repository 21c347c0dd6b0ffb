#!/usr/bin/env node

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
	const { main } = await import("./cli/main.ts");
	process.exitCode = await main(process.argv.slice(2));
}

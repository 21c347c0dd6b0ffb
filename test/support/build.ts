import { spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";

const root = join(import.meta.dirname, "../..");

/** Builds the program before the tests that run it; the types of the library are built and checked with the package. */
export default async function buildProgram(): Promise<void> {
	const child = spawn(process.execPath, ["esbuild.config.mjs"], { cwd: root, stdio: ["ignore", "pipe", "pipe"] });
	let said = "";
	for (const stream of [child.stdout, child.stderr])
		stream.on("data", (chunk) => {
			said += chunk;
		});
	const [code] = await once(child, "close");
	if (code !== 0) throw new Error(`The build failed:\n${said}`);
}

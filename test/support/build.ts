import { spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";

const root = join(import.meta.dirname, "../..");

/** Builds the program and the types of the library, both at once, before the tests that run them. */
export default async function buildProgram(): Promise<void> {
	await Promise.all([run(process.execPath, ["esbuild.config.mjs"]), run("npx", ["tsc", "-p", "tsconfig.build.json"])]);
}

async function run(command: string, args: readonly string[]): Promise<void> {
	const child = spawn(command, args, {
		cwd: root,
		stdio: ["ignore", "pipe", "pipe"],
		shell: process.platform === "win32",
	});
	let said = "";
	for (const stream of [child.stdout, child.stderr])
		stream.on("data", (chunk) => {
			said += chunk;
		});
	const [code] = await once(child, "close");
	if (code !== 0) throw new Error(`${command} ${args.join(" ")} failed:\n${said}`);
}

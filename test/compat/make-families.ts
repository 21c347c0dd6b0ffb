/**
 * Makes `fixtures/families` with the real packages, in the real pi, with a model on the loopback address. Not a test: run it
 * after `npm run test:compat` has set pi up, when a package has changed what it writes:
 *
 *     npm exec -c 'node test/compat/make-families.ts'
 *
 * pi 1.5.2 runs what it can; background runs and workflows of pi-subagents 0.67.0 need packages of pi that were removed in
 * between ("Background children require the host npm package"), and are made with pi 0.87.1.
 */
import { execFileSync, spawn } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { FAMILIES, type FamilyPlan } from "./family-plans.ts";
import { keepFamily } from "./keep-family.ts";
import { ScriptedModel } from "./scripted-model.ts";

const PACKAGES = ["pi-subagents@0.67.0", "pi-subagents-0.34@npm:pi-subagents@0.34.0", "@tintinweb/pi-subagents@0.14.1"];
const PI = "@earendil-works/pi-coding-agent/dist/bundle/cli.js";

/** The packages with what they need, but without pi. */
function install(folder: string): void {
	writeFileSync(join(folder, "package.json"), '{"private":true}');
	const npm = process.env.npm_execpath;
	if (npm === undefined) throw new Error("Run this with npm: npm exec -c 'node test/compat/make-families.ts'");
	const options = ["--silent", "--ignore-scripts", "--omit=peer", "--legacy-peer-deps"];
	execFileSync(process.execPath, [npm, "install", ...options, ...PACKAGES], { cwd: folder, stdio: "inherit" });
}

/** One conversation in pi: prompts one after the other, until so many answers of the parent have ended. */
async function converse(plan: FamilyPlan, home: string, packages: string): Promise<void> {
	const agentDir = join(home, ".pi/agent");
	const cwd = join(home, "work/api");
	mkdirSync(cwd, { recursive: true });
	mkdirSync(join(agentDir, "agents"), { recursive: true });
	mkdirSync(join(home, "tmp"));
	for (const [name, text] of Object.entries(plan.agents ?? {}))
		writeFileSync(join(agentDir, "agents", `${name}.md`), text);
	if (plan.config !== undefined) {
		mkdirSync(join(agentDir, "extensions/subagent"), { recursive: true });
		writeFileSync(join(agentDir, "extensions/subagent/config.json"), JSON.stringify(plan.config));
	}
	const model = new ScriptedModel(plan.parts);
	writeFileSync(join(agentDir, "models.json"), JSON.stringify(await model.start()));
	const settings = { defaultProvider: "local", defaultModel: "small", retry: { enabled: false } };
	writeFileSync(join(agentDir, "settings.json"), JSON.stringify(settings));
	const pi = join(import.meta.dirname, plan.pi === "0.87.1" ? "" : `pi-${plan.pi}`, "node_modules", PI);
	// pi-subagents 0.34 starts its agents as programs.
	const bin = join(home, "bin");
	mkdirSync(bin);
	writeFileSync(join(bin, "pi"), `#!/bin/sh\nexec "${process.execPath}" "${pi}" "$@"\n`, { mode: 0o755 });
	const PATH = `${bin}:${process.env.PATH ?? ""}`;
	const env = { HOME: home, PI_CODING_AGENT_DIR: agentDir, TMPDIR: join(home, "tmp"), PATH };
	const child = spawn(process.execPath, [pi, "--mode", "rpc", "-e", join(packages, "node_modules", plan.package)], {
		cwd,
		env: { ...env, PI_OFFLINE: "1", PI_SKIP_VERSION_CHECK: "1" },
		stdio: ["pipe", "pipe", "inherit"],
	});
	const exited = new Promise<void>((resolve) => child.on("exit", () => resolve()));
	let ended = 0;
	let onEnd: () => void = () => undefined;
	let rest = "";
	child.stdout.setEncoding("utf8").on("data", (more: string) => {
		const lines = (rest + more).split("\n");
		rest = lines.pop() ?? "";
		for (const line of lines) {
			const event = JSON.parse(line) as { type: string; toolName?: string };
			if (event.type === "tool_execution_start") model.happened(`tool ${event.toolName}`);
			if (event.type !== "agent_end") continue;
			ended += 1;
			onEnd();
		}
	});
	const whenEnded = (count: number): Promise<void> =>
		new Promise((resolve, reject) => {
			onEnd = () => void (ended >= count && resolve());
			void exited.then(() => reject(new Error(`pi has ended in ${plan.name}`)));
			onEnd();
		});
	for (const [index, message] of plan.prompts.entries()) {
		child.stdin.write(`${JSON.stringify({ id: String(index), type: "prompt", message })}\n`);
		await whenEnded(index + 1);
	}
	await whenEnded(plan.prompts.length + (plan.notices ?? 0));
	child.stdin.end();
	await exited;
	model.stop();
}

const work = mkdtempSync(join(tmpdir(), "families-"));
try {
	install(work);
	const [, , ...only] = process.argv;
	for (const plan of FAMILIES) {
		if (only.length > 0 && !only.includes(plan.name)) continue;
		const home = join(work, plan.name);
		await converse(plan, home, work);
		keepFamily(plan, home);
		console.log(plan.name);
	}
} finally {
	rmSync(work, { recursive: true, force: true });
}

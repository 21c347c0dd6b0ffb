import { chmodSync, mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { createPiFiles } from "../../../../src/app/world/effects/pi-files.ts";
import { tempDir } from "../../../support/temp-dir.ts";

const claude = { provider: "anthropic", modelId: "claude" };
const gone = { provider: "anthropic", modelId: "gone" };
const local = { provider: "local", modelId: "qwen" };

/** pi as npm installs it globally: the program is a link into its package, whose dependencies are inside it or beside it. */
function install(dir: string, where: "inside" | "beside"): string {
	const scope = join(dir, "lib/node_modules/@earendil-works");
	const program = join(scope, "pi-coding-agent/dist/bundle/cli.js");
	const owner = where === "inside" ? join(scope, "pi-coding-agent/node_modules/@earendil-works") : scope;
	const data = join(owner, "pi-ai/dist/providers/data");
	for (const each of [join(program, ".."), data, join(dir, "bin")]) mkdirSync(each, { recursive: true });
	writeFileSync(program, "throw new Error('nothing of pi is run');");
	chmodSync(program, 0o755);
	symlinkSync(program, join(dir, "bin/pi"));
	const model = { id: "claude", type: "chat", contextWindow: 200_000, cost: { input: 3 } };
	writeFileSync(join(data, "anthropic.json"), JSON.stringify({ "anthropic-messages": { "chat:claude": model } }));
	writeFileSync(join(data, ".manifest.json"), JSON.stringify({ generatedAt: "2026-01-01T00:00:00.000Z" }));
	return join(dir, "bin");
}

function agent(dir: string, files: Readonly<Record<string, string>>): string {
	const agentDir = join(dir, "agent");
	mkdirSync(agentDir, { recursive: true });
	for (const [name, text] of Object.entries(files)) writeFileSync(join(agentDir, name), text);
	return agentDir;
}

test.each(["inside", "beside"] as const)(
	"pi's lists are found %s its package, by the program on the PATH",
	async (where) => {
		const dir = tempDir();
		const files = createPiFiles({ pi: "pi", env: { PATH: install(dir, where) }, agentDir: agent(dir, {}) });
		const { models, hasDirectory } = await files.read({ cwd: dir, models: [claude, gone, local] });
		expect(hasDirectory).toBe(true);
		expect(models.get("anthropic/claude")).toMatchObject({ isListed: true, facts: { contextWindow: 200_000 } });
		expect(models.get("anthropic/gone")).toMatchObject({ isListed: true, facts: undefined });
		expect(models.get("local/qwen")).toMatchObject({ isListed: false, facts: undefined });
	},
);

test("the person's own list may have comments; a newer list replaces that of the package; settings are read", async () => {
	const dir = tempDir();
	const own = `{ // mine
		"providers": { "local": { "baseUrl": "http://localhost", "models": [{ "id": "qwen", "contextWindow": 32000, },] } },
	}`;
	const fetched = {
		anthropic: { lastModified: Date.UTC(2026, 5), models: [{ id: "claude", contextWindow: 1_000_000 }] },
	};
	const agentDir = agent(dir, {
		"models.json": own,
		"models-store.json": `\uFEFF${JSON.stringify(fetched)}`,
		"settings.json": JSON.stringify({ compaction: { enabled: false } }),
	});
	mkdirSync(join(dir, "work/.pi"), { recursive: true });
	writeFileSync(join(dir, "work/.pi/settings.json"), JSON.stringify({ compaction: { reserveTokens: 9 } }));
	const files = createPiFiles({ pi: "pi", env: { PATH: install(dir, "inside") }, agentDir });
	const { models } = await files.read({ cwd: join(dir, "work"), models: [claude, local] });
	expect(models.get("local/qwen")?.facts?.contextWindow).toBe(32_000);
	expect(models.get("anthropic/claude")?.facts?.contextWindow).toBe(1_000_000);
	expect(models.get("anthropic/claude")?.compaction).toEqual({ enabled: false, reserveTokens: 9 });
	// A list that has changed is read again.
	writeFileSync(
		join(agentDir, "models.json"),
		JSON.stringify({ providers: { local: { models: [{ id: "qwen", contextWindow: 64_000 }] } } }),
	);
	expect((await files.read({ cwd: dir, models: [local] })).models.get("local/qwen")?.facts?.contextWindow).toBe(64_000);
});

test("without pi, with files that are not files, and with invalid names, nothing is known and nothing throws", async () => {
	const dir = tempDir();
	const agentDir = agent(dir, { "models.json": "{", "models-store.json": "[1]", "settings.json": "null" });
	mkdirSync(join(agentDir, "auth.json"));
	const odd = { provider: "../../../../etc/passwd", modelId: "\0" };
	const proto = { provider: "__proto__", modelId: "constructor" };
	const files = createPiFiles({ pi: "pi", env: { PATH: install(dir, "beside") }, agentDir });
	const nowhere = createPiFiles({ pi: "pi", env: {}, agentDir: join(dir, "nowhere") });
	for (const each of [files, nowhere]) {
		const { models, hasDirectory } = await each.read({ cwd: join(dir, "gone"), models: [odd, proto] });
		expect(hasDirectory).toBe(false);
		for (const known of models.values()) expect(known.facts).toBeUndefined();
	}
});

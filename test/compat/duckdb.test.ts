import { cpSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { DuckDBInstance } from "@duckdb/node-api";
import { expect, test } from "vitest";
import { isSession } from "../../src/catalog/model/row.ts";
import { listAll, statsAll } from "../../src/index.ts";
import { assistant, entry, header, lines, message, name, toolResult, user } from "../support/session-builder.ts";
import { tempAgentDir } from "../support/temp-dir.ts";

const root = join(import.meta.dirname, "../..");
const views = readFileSync(join(root, "examples/duckdb.sql"), "utf8");

/** Loads the views of the example into a database in memory; returns a function that runs a query. */
async function openViews(sessions: readonly string[], options = "") {
	const connection = await (await DuckDBInstance.create(":memory:")).connect();
	const list = sessions.map((pattern) => `'${pattern}'`).join(", ");
	await connection.run(`SET TimeZone = 'UTC'; SET VARIABLE sessions = [${list}]; ${options}`);
	await connection.run(views);
	return async (sql: string) => (await connection.runAndReadAll(sql)).getRowObjectsJson();
}

test("every fixture is read, and each dollar and token is counted as by pi-grove", async () => {
	const { env, root: sessions, cache: cacheDir } = tempAgentDir();
	cpSync(join(root, "fixtures"), join(sessions, "--fixtures--"), { recursive: true });
	const query = await openViews([`${sessions}/*/*.jsonl`]);

	const stats = await statsAll({ env, cacheDir });
	const [sums] = await query(
		"SELECT sum(cost) AS cost, sum(input + output + cache_read + cache_write) AS tokens FROM usage",
	);
	expect(sums?.cost).toBeCloseTo(stats.cost, 6);
	expect(Number(sums?.tokens)).toBe(stats.tokens);
	const models = await query("SELECT model, sum(cost) AS cost FROM cost_by_day_and_model GROUP BY model");
	for (const { model, cost } of models)
		expect(Number(cost)).toBeCloseTo(stats.models.find(({ key }) => key === model)?.cost ?? Number.NaN, 3);

	// What pi would not open is not a session here, either.
	const rows = await query("SELECT path, id, cwd, name FROM sessions ORDER BY path");
	const listed = (await listAll({ env, cacheDir })).filter(isSession);
	expect(listed.length).toBeGreaterThan(30);
	for (const { path, id, cwd, name } of listed)
		expect(rows).toContainEqual({ path, id, cwd: cwd === "" ? null : cwd, name: name ?? null });
});

test("turns, failed calls and their rates; what a fork has copied counts once; artifacts are left out", async () => {
	const { root: sessions, write } = tempAgentDir();
	const call = { type: "toolCall", id: "c1", name: "bash", arguments: { command: "npm test" } };
	const failed = { role: "toolResult", toolCallId: "c1", toolName: "bash", isError: true };
	const told = [
		user("a1", null, 1, "Run the tests."),
		assistant("a2", "a1", 2, "Running them.", [call]),
		message("a3", "a2", 5, { ...failed, content: [{ type: "text", text: "1 failed" }] }),
		assistant("a4", "a3", 9, "One fails."),
		user("b1", "a4", 20, "Mend it."),
		toolResult("b2", "b1", 25, "done"),
		assistant("b3", "b2", 30, "It passes."),
	];
	const path = write("--p--/one.jsonl", lines(header({ cwd: "/work/p" }), ...told, name("n1", "b3", 31, "Tests")));
	const forkOf = { id: "0198-bb", timestamp: "2026-01-02T00:00:00.000Z", parentSession: path, cwd: "/work/q" };
	write("--q--/two.jsonl", lines(header(forkOf), ...told));
	write("--p--/one/subagent-artifacts/x_transcript.jsonl", `${JSON.stringify({ version: 1, recordType: "start" })}\n`);
	const query = await openViews([`${sessions}/**/*.jsonl`]);

	expect(
		await query("SELECT name, messages, prompts, errors, round(cost, 2) AS cost FROM sessions ORDER BY started"),
	).toEqual([
		{ name: "Tests", messages: "7", prompts: "2", errors: "1", cost: 0.09 },
		{ name: null, messages: "7", prompts: "2", errors: "1", cost: 0 },
	]);
	const turns =
		"SELECT turn, prompt, answers, calls, errors, date_diff('second', began, ended) AS seconds, round(cost, 2) AS cost";
	expect(await query(`${turns} FROM turns WHERE path = '${path}' ORDER BY turn`)).toEqual([
		{ turn: "1", prompt: "Run the tests.", answers: "2", calls: "1", errors: "1", seconds: "8", cost: 0.06 },
		{ turn: "2", prompt: "Mend it.", answers: "1", calls: "1", errors: "0", seconds: "10", cost: 0.03 },
	]);
	expect(await query("SELECT path, tool, arguments, error FROM tool_errors")).toEqual([
		{ path, tool: "bash", arguments: JSON.stringify(call.arguments), error: "1 failed" },
	]);
	expect(await query("FROM tool_error_rates")).toEqual([{ tool: "bash", calls: "2", errors: "1", percent: 50 }]);
	expect(await query("SELECT CAST(day AS VARCHAR) AS day, model, answers FROM cost_by_day_and_model")).toEqual([
		{ day: "2026-01-01", model: "claude-sonnet-4-5", answers: "3" },
	]);
});

test("a line that is too long is reported, and can be allowed", async () => {
	const { root: sessions, write } = tempAgentDir();
	const long = entry("custom", "a1", null, 1, { customType: "x", data: "x".repeat(40_000_000) });
	write("--p--/one.jsonl", lines(header(), long));
	const count = "SELECT count(*) AS entries FROM entries";
	const query = await openViews([`${sessions}/*/*.jsonl`]);
	await expect(query(count)).rejects.toThrow(/exceeded while reading file ".*one\.jsonl"/);
	const patient = await openViews([`${sessions}/*/*.jsonl`], "SET VARIABLE max_line_bytes = 64000000;");
	expect(await patient(count)).toEqual([{ entries: "1" }]);
});

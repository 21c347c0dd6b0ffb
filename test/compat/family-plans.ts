import type { Call, Part } from "./scripted-model.ts";

/** A family of sessions that is made for the tests. */
export interface FamilyPlan {
	readonly name: string;
	readonly package: "pi-subagents" | "pi-subagents-0.34" | "@tintinweb/pi-subagents";
	readonly pi: "0.87.1" | "1.5.2";
	/** What the person says. */
	readonly prompts: readonly string[];
	/** How many answers follow that are about notices, not prompts. */
	readonly notices?: number;
	readonly parts: readonly Part[];
	/** The files that define agents, by name. */
	readonly agents?: Readonly<Record<string, string>>;
	/** The configuration of pi-subagents. */
	readonly config?: Readonly<Record<string, unknown>>;
}

function agent(name: string, tools: string, more = ""): string {
	return `---\nname: ${name}\ndescription: ${name}\ntools: ${tools}\n${more}---\nYou do what you are asked.\n`;
}

/** Something that a run does before it answers. */
const LOOK = { call: "read", with: { path: "src/routes.ts" } };

/** A run of pi-subagents for which its parent waits, unless `more` says otherwise. */
function subagent(name: string, task: string, more: object = {}): Call {
	return { call: "subagent", with: { agent: name, task, async: false, context: "fresh", ...more } };
}

/** A workflow of pi-subagents. */
function workflow(workflowScript: string): Call {
	return { call: "subagent", with: { async: false, workflowScript } };
}

/** A run of @tintinweb/pi-subagents. */
function tintinweb(subagent_type: string, description: string, prompt: string, more: object = {}): Call {
	return { call: "Agent", with: { subagent_type, description, prompt, ...more } };
}

/** What a session of one agent is made from, whatever its configuration is. */
const SCOUT = {
	package: "pi-subagents",
	pi: "1.5.2",
	prompts: ["Ask a scout where the routes are."],
	parts: [
		{ hears: "Find the routes", says: [LOOK, "They are in src/routes.ts."] },
		{ hears: "Ask a scout", says: [subagent("scout", "Find the routes"), "The scout says: in src/routes.ts."] },
	],
} as const;

const WRITER = {
	package: "@tintinweb/pi-subagents",
	pi: "1.5.2",
	prompts: ["Let a writer do it."],
	parts: [
		{ hears: "Write the notes", says: [LOOK, "They are written."] },
		{
			hears: "Let a writer",
			says: [tintinweb("writer", "Write notes", "Write the notes."), "The notes are written."],
		},
	],
} as const;

/** Two reviews at once, the second of which fails, asked for by this call. */
function reviews(call: Call): Pick<FamilyPlan, "pi" | "prompts" | "parts" | "agents"> {
	return {
		pi: "0.87.1",
		prompts: ["Review everything."],
		parts: [
			{ hears: "Review the routes", says: [LOOK, "The routes are fine."] },
			{ hears: "Review the schema", says: [{ error: "The model is overloaded." }] },
			{ hears: "Review everything", says: [call, "The routes are fine; the review of the schema failed."] },
		],
		agents: { checker: agent("checker", "read, grep") },
	};
}

/** A plan and what carries it out, one after the other, asked for by this call. */
function steps(call: Call): Pick<FamilyPlan, "pi" | "prompts" | "parts" | "agents"> {
	return {
		pi: "0.87.1",
		prompts: ["Rename it in steps."],
		parts: [
			// First, as what it hears may hold what was said before.
			{ hears: "Carry out", says: [LOOK, "Renamed."] },
			{ hears: "Plan the rename", says: ["Rename a to b."] },
			{ hears: "Rename it", says: [call, "Renamed in two steps."] },
		],
		agents: { planner: agent("planner", "read"), doer: agent("doer", "read, edit") },
	};
}

/** One family of each kind. */
export const FAMILIES: readonly FamilyPlan[] = [
	{ name: "fresh", ...SCOUT },
	{
		name: "fork",
		package: "pi-subagents",
		pi: "1.5.2",
		prompts: ["Make a plan for the retries.", "Get a second opinion."],
		parts: [
			{ hears: "Check the plan", says: ["The plan holds."] },
			{
				hears: "Get a second opinion",
				says: [subagent("adviser", "Check the plan", { context: "fork" }), "The adviser agrees."],
			},
			{ hears: "Make a plan", says: ["Retry twice, then give up."] },
		],
		agents: { adviser: agent("adviser", "read") },
	},
	{
		name: "nested",
		package: "pi-subagents",
		pi: "1.5.2",
		prompts: ["Find out how things are stored."],
		parts: [
			{ hears: "Read the database layer", says: ["It is SQLite."] },
			{
				hears: "Explore the storage",
				says: [subagent("reader", "Read the database layer"), "Everything is in SQLite."],
			},
			{ hears: "Find out how", says: [subagent("lead", "Explore the storage"), "In SQLite."] },
		],
		agents: { lead: agent("lead", "read, subagent", "maxSubagentDepth: 2\n"), reader: agent("reader", "read") },
	},
	{
		name: "parallel",
		package: "pi-subagents",
		...reviews(
			workflow(`const reviews = await runs.all([
	{ key: "routes", agent: "checker", task: "Review the routes", context: "fresh" },
	{ key: "schema", agent: "checker", task: "Review the schema", context: "fresh" },
]);
return reviews.map((review) => review.output);`),
		),
	},
	{
		name: "chain",
		package: "pi-subagents",
		...steps(
			workflow(`const plan = await runs.run("plan", { agent: "planner", task: "Plan the rename" });
return (await runs.run("patch", { agent: "doer", task: "Carry out: " + plan.output })).output;`),
		),
	},
	{
		name: "background",
		package: "pi-subagents",
		pi: "0.87.1",
		prompts: ["Start a count."],
		notices: 1,
		parts: [
			{ hears: "Background task", says: ["It has counted 12."] },
			{ hears: "Count the tests", says: [LOOK, "There are 12 tests."] },
			{ hears: "Start a count", says: [subagent("counter", "Count the tests", { async: true }), "It counts."] },
		],
		agents: { counter: agent("counter", "read") },
	},
	{
		name: "waited",
		package: "pi-subagents",
		pi: "0.87.1",
		prompts: ["Start a count, and wait for it."],
		parts: [
			{ hears: "Count the tests", says: [LOOK, { after: "tool bg_wait", answer: "There are 12 tests." }] },
			{
				hears: "Start a count",
				says: [
					subagent("counter", "Count the tests", { async: true }),
					{ after: "Count the tests", answer: { call: "bg_wait", with: {} } },
					"There are 12.",
				],
			},
		],
		agents: { counter: agent("counter", "read") },
	},
	{
		name: "old-parallel",
		package: "pi-subagents-0.34",
		...reviews({
			call: "subagent",
			with: {
				async: false,
				tasks: [
					{ agent: "checker", task: "Review the routes" },
					{ agent: "checker", task: "Review the schema" },
				],
			},
		}),
	},
	{
		name: "old-chain",
		package: "pi-subagents-0.34",
		...steps({
			call: "subagent",
			with: {
				async: false,
				chain: [
					{ agent: "planner", task: "Plan the rename" },
					{ agent: "doer", task: "Carry out: {previous}" },
				],
			},
		}),
	},
	{
		name: "agent-foreground",
		package: "@tintinweb/pi-subagents",
		pi: "1.5.2",
		prompts: ["Look around."],
		parts: [
			{ hears: "Where are the routes", says: [LOOK, "In src/routes.ts."] },
			{ hears: "Read the schema", says: [{ error: "The model is overloaded." }] },
			{
				hears: "Look around",
				says: [
					tintinweb("Explore", "Find the routes", "Where are the routes?"),
					tintinweb("Explore", "Read the schema", "Read the schema."),
					"The routes are in src/routes.ts; nobody has read the schema.",
				],
			},
		],
	},
	{
		name: "agent-background",
		package: "@tintinweb/pi-subagents",
		pi: "1.5.2",
		prompts: ["Start a count, and fetch it.", "Start another one."],
		notices: 1,
		parts: [
			{ hears: "<task-notification>", says: ["It has found 3 more."] },
			{ hears: "Count the tests", says: [LOOK, { after: "tool get_subagent_result", answer: "There are 12 tests." }] },
			{ hears: "Count the others", says: ["3 more."] },
			{
				hears: "and fetch it",
				says: [
					tintinweb("general-purpose", "Count tests", "Count the tests.", { run_in_background: true }),
					(last) => ({
						call: "get_subagent_result",
						with: { agent_id: /Agent ID: (\S+)/.exec(last)?.[1] ?? "", wait: true },
					}),
					"There are 12.",
				],
			},
			{
				hears: "Start another",
				says: [
					tintinweb("general-purpose", "Count others", "Count the others.", { run_in_background: true }),
					"It counts.",
				],
			},
		],
	},
	{ name: "agent-session", ...WRITER, agents: { writer: agent("writer", "read", "persist_session: true\n") } },
	{ name: "configured", ...SCOUT, config: { defaultSessionDir: "~/.pi/agent/sessions/subagent/" } },
	{
		name: "agent-directory",
		...WRITER,
		agents: {
			writer: agent("writer", "read", "persist_session: true\nsession_dir: ~/.pi/agent/sessions/agents\n"),
		},
	},
];

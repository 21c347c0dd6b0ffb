import type { Part } from "./scripted-model.ts";

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

/** One family of each kind. */
export const FAMILIES: readonly FamilyPlan[] = [
	{
		name: "fresh",
		package: "pi-subagents",
		pi: "1.5.2",
		prompts: ["Ask a scout where the routes are."],
		parts: [
			{ hears: "Find the routes", says: [LOOK, "They are in src/routes.ts."] },
			{
				hears: "Ask a scout",
				says: [
					{ call: "subagent", with: { agent: "scout", task: "Find the routes", async: false, context: "fresh" } },
					"The scout says: in src/routes.ts.",
				],
			},
		],
	},
	{
		name: "fork",
		package: "pi-subagents",
		pi: "1.5.2",
		prompts: ["Make a plan for the retries.", "Get a second opinion."],
		parts: [
			{ hears: "Check the plan", says: ["The plan holds."] },
			{
				hears: "Get a second opinion",
				says: [
					{ call: "subagent", with: { agent: "adviser", task: "Check the plan", async: false, context: "fork" } },
					"The adviser agrees.",
				],
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
				says: [
					{
						call: "subagent",
						with: { agent: "reader", task: "Read the database layer", async: false, context: "fresh" },
					},
					"Everything is in SQLite.",
				],
			},
			{
				hears: "Find out how",
				says: [
					{ call: "subagent", with: { agent: "lead", task: "Explore the storage", async: false, context: "fresh" } },
					"In SQLite.",
				],
			},
		],
		agents: { lead: agent("lead", "read, subagent", "maxSubagentDepth: 2\n"), reader: agent("reader", "read") },
	},
	{
		name: "parallel",
		package: "pi-subagents",
		pi: "0.87.1",
		prompts: ["Review everything."],
		parts: [
			{ hears: "Review the routes", says: [LOOK, "The routes are fine."] },
			{ hears: "Review the schema", says: [{ error: "The model is overloaded." }] },
			{
				hears: "Review everything",
				says: [
					{
						call: "subagent",
						with: {
							async: false,
							workflowScript: `const reviews = await runs.all([
	{ key: "routes", agent: "checker", task: "Review the routes", context: "fresh" },
	{ key: "schema", agent: "checker", task: "Review the schema", context: "fresh" },
]);
return reviews.map((review) => review.output);`,
						},
					},
					"The routes are fine; the review of the schema failed.",
				],
			},
		],
		agents: { checker: agent("checker", "read, grep") },
	},
	{
		name: "chain",
		package: "pi-subagents",
		pi: "0.87.1",
		prompts: ["Rename it in steps."],
		parts: [
			{ hears: "Plan the rename", says: ["Rename a to b."] },
			{ hears: "Carry out", says: [LOOK, "Renamed."] },
			{
				hears: "Rename it",
				says: [
					{
						call: "subagent",
						with: {
							async: false,
							workflowScript: `const plan = await runs.run("plan", { agent: "planner", task: "Plan the rename" });
return (await runs.run("patch", { agent: "doer", task: "Carry out: " + plan.output })).output;`,
						},
					},
					"Renamed in two steps.",
				],
			},
		],
		agents: { planner: agent("planner", "read"), doer: agent("doer", "read, edit") },
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
			{
				hears: "Start a count",
				says: [
					{ call: "subagent", with: { agent: "counter", task: "Count the tests", async: true, context: "fresh" } },
					"It counts.",
				],
			},
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
					{ call: "subagent", with: { agent: "counter", task: "Count the tests", async: true, context: "fresh" } },
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
		pi: "0.87.1",
		prompts: ["Review everything."],
		parts: [
			{ hears: "Review the routes", says: [LOOK, "The routes are fine."] },
			{ hears: "Review the schema", says: [{ error: "The model is overloaded." }] },
			{
				hears: "Review everything",
				says: [
					{
						call: "subagent",
						with: {
							async: false,
							tasks: [
								{ agent: "checker", task: "Review the routes" },
								{ agent: "checker", task: "Review the schema" },
							],
						},
					},
					"The routes are fine; the review of the schema failed.",
				],
			},
		],
		agents: { checker: agent("checker", "read, grep") },
	},
	{
		name: "old-chain",
		package: "pi-subagents-0.34",
		pi: "0.87.1",
		prompts: ["Rename it in steps."],
		parts: [
			{ hears: "Carry out", says: [LOOK, "Renamed."] },
			{ hears: "Plan the rename", says: ["Rename a to b."] },
			{
				hears: "Rename it",
				says: [
					{
						call: "subagent",
						with: {
							async: false,
							chain: [
								{ agent: "planner", task: "Plan the rename" },
								{ agent: "doer", task: "Carry out: {previous}" },
							],
						},
					},
					"Renamed in two steps.",
				],
			},
		],
		agents: { planner: agent("planner", "read"), doer: agent("doer", "read, edit") },
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
					{
						call: "Agent",
						with: { subagent_type: "Explore", description: "Find the routes", prompt: "Where are the routes?" },
					},
					{
						call: "Agent",
						with: { subagent_type: "Explore", description: "Read the schema", prompt: "Read the schema." },
					},
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
					{
						call: "Agent",
						with: {
							subagent_type: "general-purpose",
							description: "Count tests",
							prompt: "Count the tests.",
							run_in_background: true,
						},
					},
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
					{
						call: "Agent",
						with: {
							subagent_type: "general-purpose",
							description: "Count others",
							prompt: "Count the others.",
							run_in_background: true,
						},
					},
					"It counts.",
				],
			},
		],
	},
	{
		name: "agent-session",
		package: "@tintinweb/pi-subagents",
		pi: "1.5.2",
		prompts: ["Let a writer do it."],
		parts: [
			{ hears: "Write the notes", says: [LOOK, "They are written."] },
			{
				hears: "Let a writer",
				says: [
					{ call: "Agent", with: { subagent_type: "writer", description: "Write notes", prompt: "Write the notes." } },
					"The notes are written.",
				],
			},
		],
		agents: { writer: agent("writer", "read", "persist_session: true\n") },
	},
	{
		name: "configured",
		package: "pi-subagents",
		pi: "1.5.2",
		prompts: ["Ask a scout where the routes are."],
		parts: [
			{ hears: "Find the routes", says: [LOOK, "They are in src/routes.ts."] },
			{
				hears: "Ask a scout",
				says: [
					{ call: "subagent", with: { agent: "scout", task: "Find the routes", async: false, context: "fresh" } },
					"The scout says: in src/routes.ts.",
				],
			},
		],
		config: { defaultSessionDir: "~/.pi/agent/sessions/subagent/" },
	},
	{
		name: "agent-directory",
		package: "@tintinweb/pi-subagents",
		pi: "1.5.2",
		prompts: ["Let a writer do it."],
		parts: [
			{ hears: "Write the notes", says: [LOOK, "They are written."] },
			{
				hears: "Let a writer",
				says: [
					{ call: "Agent", with: { subagent_type: "writer", description: "Write notes", prompt: "Write the notes." } },
					"The notes are written.",
				],
			},
		],
		agents: {
			writer: agent("writer", "read", "persist_session: true\nsession_dir: ~/.pi/agent/sessions/agents\n"),
		},
	},
];

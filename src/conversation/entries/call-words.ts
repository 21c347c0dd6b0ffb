import {
	eachField,
	type Fields,
	fieldsOf,
	firstFields,
	listOf,
	numberOf,
	pathArgument,
	textOf,
} from "../../store/format/fields.ts";
import { formatCounted } from "../../ui/text/format.ts";
import { commandRow, type Place, shortPath } from "./place.ts";
import { compactJson, head, rowText } from "./row-text.ts";

/** A call as a row shows it: what was done, and to what. Neither text is sanitized. */
interface CallWords {
	/** "read", "edit", "$"; for an unknown tool, its name. */
	readonly verb: string;
	/** "src/a.ts:10-40", "npm test"; not longer than a row. */
	readonly argument: string;
}

/** Describes a call: what is read, run or searched for, with paths relative to the session's directory. */
export function callWords(name: string, args: Fields, place: Place): CallWords {
	const path = shortPath(head(pathArgument(args)), place);
	switch (name) {
		case "read":
			return { verb: "read", argument: `${path}${lineRange(args)}` };
		case "write":
		case "edit":
			return { verb: name, argument: path };
		case "bash":
			return { verb: "$", argument: head(commandRow(textOf(args.command), place)) };
		case "powershell":
			return { verb: "PS>", argument: head(commandRow(textOf(args.command), place)) };
		case "grep":
			return { verb: "grep", argument: `/${rowText(args.pattern)}/${inPlace(path)}${glob(args)}` };
		case "find":
			return { verb: "find", argument: `${rowText(args.pattern)}${inPlace(path)}` };
		case "ls":
			return { verb: "ls", argument: path || "." };
		case "codemode":
			return { verb: "codemode", argument: firstStatement(textOf(args.code)) };
		case "subagent":
			return { verb: "subagent", argument: askedAgents(args) || mostTelling(args, place) };
		default:
			return { verb: verbOf(name), argument: mostTelling(args, place) };
	}
}

function inPlace(path: string): string {
	return path === "" || path === "." ? "" : ` in ${path}`;
}

function glob(args: Fields): string {
	const pattern = rowText(args.glob);
	return pattern === "" ? "" : ` of ${pattern}`;
}

/** ":10-40" */
function lineRange(args: Fields): string {
	const offset = numberOf(args.offset);
	const limit = numberOf(args.limit);
	if (offset === undefined && limit === undefined) return "";
	const start = offset ?? 1;
	return limit === undefined ? `:${start}` : `:${start}-${start + limit - 1}`;
}

/** Agents that a row names. */
const MAX_AGENTS = 20;

/** "3 tasks: scout, worker", "planner → doer", "workflow const plan = …": who is asked at once; "" for a single agent. */
function askedAgents({ tasks, chain, workflowScript }: Fields): string {
	const [tasksAtOnce, steps] = [listOf(tasks), listOf(chain)];
	if (steps.length > 0) return head(steps.slice(0, MAX_AGENTS).map(agentsOfStep).join(" → "));
	if (tasksAtOnce.length > 0) return head(`${formatCounted(tasksAtOnce.length, "task")}: ${agentNames(tasksAtOnce)}`);
	const script = firstStatement(textOf(workflowScript));
	return script === "" ? "" : head(`workflow ${script}`);
}

/** A step of a chain has one agent, or several at once. */
function agentsOfStep(step: unknown): string {
	const { parallel } = fieldsOf(step);
	return agentNames(Array.isArray(parallel) ? parallel : [step]);
}

function agentNames(tasks: readonly unknown[]): string {
	const names = new Set<string>();
	for (const task of tasks) {
		if (names.size === MAX_AGENTS) break;
		names.add(rowText(fieldsOf(task).agent) || "?");
	}
	return [...names].join(", ");
}

/** A script without its leading comments. */
function firstStatement(code: string): string {
	const start = head(code);
	return start.replace(/^(?:\s*\/\/[^\n]*\n)+\s*/, "") || start;
}

/** "github/get_issue" for the MCP tool "mcp__github__get_issue"; else the name of the tool. */
function verbOf(name: string): string {
	const short = head(name);
	const [, server, tool] = /^mcp__(.+?)__(.+)$/s.exec(short) ?? [];
	return server === undefined || tool === undefined ? short || "tool" : `${server}/${tool}`;
}

/** Arguments that show what a call is about, the most informative first. */
const TELLING =
	"command file_path path url query pattern prompt task question title name description message text code".split(" ");
const PATHS: ReadonlySet<string> = new Set(["file_path", "path"]);
/** Arguments of an unknown tool that a row names, and those that are considered. */
const MAX_NAMED = 3;
const MAX_ARGUMENTS = 50;

/** The most informative argument of an unknown tool; if none is known, its first texts and numbers by name, else its JSON. */
function mostTelling(args: Fields, place: Place): string {
	for (const name of TELLING) {
		const text = Object.hasOwn(args, name) ? rowText(args[name]).trim() : "";
		if (text !== "") return PATHS.has(name) ? shortPath(text, place) : text;
	}
	const scalars = firstFields(args, MAX_ARGUMENTS).filter(([, value]) => typeof value !== "object");
	if (scalars.length > 0) {
		const named = scalars.slice(0, MAX_NAMED);
		return head(named.map(([name, value]) => `${head(name)}=${head(String(value))}`).join(" "));
	}
	return eachField(args).next().done ? "" : compactJson(args);
}

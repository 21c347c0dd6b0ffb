/** The tools of the pi that a run compares with: of 0.87.1 by their own file, since its package brings much more. */
import type * as Tools from "./node_modules/@earendil-works/pi-coding-agent/dist/core/tools/index.js";
import { PI_VERSION } from "./pi.ts";

const FILE =
	PI_VERSION === "0.87.1"
		? "./node_modules/@earendil-works/pi-coding-agent/dist/core/tools/index.js"
		: `./pi-${PI_VERSION}/node_modules/@earendil-works/pi-coding-agent/dist/bundle/index.js`;

const { createEditTool, createReadTool, createWriteTool } = (await import(
	new URL(FILE, import.meta.url).href
)) as typeof Tools;

/** pi's tools that are about one file, in a directory. */
export function createTools(cwd: string) {
	return { edit: createEditTool(cwd), read: createReadTool(cwd), write: createWriteTool(cwd) };
}

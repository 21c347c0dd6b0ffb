import { scanFile } from "../../catalog/scan/scan-file.ts";
import { readUse } from "../../catalog/uses/read-use.ts";
import { runToEnd } from "../../shared/steps.ts";
import { SESSION_ACTIONS } from "../../store/actions/session-actions.ts";
import { examineSteps } from "../../store/doctor/examine-session.ts";
import { planRepair, repairBeside } from "../../store/doctor/repair-session.ts";

/** What the store thread can run: all changes of sessions, and reading them for checks, for the doctor and for the page of prompts. */
const WORKER_ACTIONS = {
	...SESSION_ACTIONS,
	/** The row that the list would show for a file, wherever it is. */
	scanRow: (path: string) => scanFile(path).row,
	examineSession: (path: string) => runToEnd(examineSteps(path)),
	planRepair,
	repairBeside,
	readUse,
};

export type SessionCalls = {
	readonly [Name in keyof typeof WORKER_ACTIONS]: {
		readonly args: Parameters<(typeof WORKER_ACTIONS)[Name]>;
		readonly result: ReturnType<(typeof WORKER_ACTIONS)[Name]>;
	};
};

/** The type spells out arguments and result for each name, so that the compiler can match them to a name. */
const ACTIONS: {
	readonly [Name in keyof SessionCalls]: (...args: SessionCalls[Name]["args"]) => SessionCalls[Name]["result"];
} = WORKER_ACTIONS;

/** Runs an action in this thread, which it blocks. Throws what the action throws. */
export function runAction<Name extends keyof SessionCalls>({
	name,
	args,
}: SessionCall<Name>): SessionCalls[Name]["result"] {
	return ACTIONS[name](...args);
}

export type SessionCall<Name extends keyof SessionCalls = keyof SessionCalls> = {
	readonly [Each in Name]: { readonly name: Each; readonly args: SessionCalls[Each]["args"] };
}[Name];

/** An error without its class, which is lost between threads. */
export interface ActionFailure {
	readonly name: string;
	readonly message: string;
	/** Only of a `StoreError`, like `code` and `reason`. */
	readonly path?: string;
	readonly code?: string;
	readonly reason?: string;
}

export interface StoreCalls {
	run(
		call: SessionCall,
	): { readonly result: SessionCalls[keyof SessionCalls]["result"] } | { readonly failure: ActionFailure };
	close(): void;
}

import type { WORKER_ACTIONS } from "./worker-actions.ts";

/** Parameters and results of the session actions by name. */
export type SessionCalls = {
	readonly [Name in keyof typeof WORKER_ACTIONS]: {
		readonly args: Parameters<(typeof WORKER_ACTIONS)[Name]>;
		readonly result: ReturnType<(typeof WORKER_ACTIONS)[Name]>;
	};
};

export type SessionCall<Name extends keyof SessionCalls = keyof SessionCalls> = {
	readonly [Each in Name]: { readonly name: Each; readonly args: SessionCalls[Each]["args"] };
}[Name];

/** An action to run; the answer has the same `request` number. */
export interface ToStoreWorker {
	readonly request: number;
	readonly call: SessionCall;
}

/** An error without its class, which is lost between threads. */
export interface ActionFailure {
	readonly name: string;
	readonly message: string;
	/** Only of a `StoreError`, like `code` and `reason`. */
	readonly path?: string;
	readonly code?: string;
	readonly reason?: string;
}

export type FromStoreWorker =
	| { readonly request: number; readonly result: SessionCalls[keyof SessionCalls]["result"] }
	| { readonly request: number; readonly failure: ActionFailure };

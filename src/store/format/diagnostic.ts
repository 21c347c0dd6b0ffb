/** What was found wrong or unusual in one session file. Reading never throws for these and never hides the session. */
export interface Diagnostic {
	/** A stable name for the kind of oddity, for filters and tests. */
	readonly code: DiagnosticCode;
	/** `damage`: something of the session cannot be shown or is lost. `note`: unusual, but all of it is there. */
	readonly severity: "damage" | "note";
	/** 1-based line in the file, where one line is meant. */
	readonly line?: number;
	/** One plain sentence: what is wrong and what was done about it. */
	readonly message: string;
}

export type DiagnosticCode =
	| "unreadable"
	| "empty"
	| "not-a-session"
	| "bad-line"
	| "torn-tail"
	| "invalid-utf8"
	| "byte-order-mark"
	| "old-version"
	| "newer-version"
	| "header-field"
	| "extra-header"
	| "entry-field"
	| "duplicate-id"
	| "missing-parent"
	| "parent-cycle"
	| "line-too-long";

/** Whether any diagnostic says that something of the session is lost or cannot be shown. */
export function isDamaged(diagnostics: readonly Diagnostic[]): boolean {
	return diagnostics.some((diagnostic) => diagnostic.severity === "damage");
}

/** Something wrong or unusual in a session file. Reading never throws for it and never hides the session. */
export interface Diagnostic {
	/** A stable name for the kind of problem, for filters and tests. */
	readonly code: DiagnosticCode;
	/** `damage`: a part of the session is lost or cannot be shown. `note`: unusual, but nothing is missing. */
	readonly severity: "damage" | "note";
	/** 1-based line in the file; absent when it is about the whole file. */
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

/** Whether any diagnostic says that a part of the session is lost or cannot be shown. */
export function isDamaged(diagnostics: readonly Diagnostic[]): boolean {
	return diagnostics.some((diagnostic) => diagnostic.severity === "damage");
}

import { StoreError } from "../../store/files/store-error.ts";

/**
 * Why something failed, and what to do, to follow a colon: without the path, which a sentence with the session's title
 * does not need, and without a full stop.
 */
export function sentence(error: unknown): string {
	if (error instanceof StoreError) return error.reason.replace(/\.$/, "");
	return (error instanceof Error ? error.message : String(error)).replace(/\.$/, "");
}

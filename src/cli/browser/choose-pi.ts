import { type PiCommand, readPiCommand } from "../../app/world/effects/find-program.ts";

type Env = Readonly<Record<string, string | undefined>>;

/** The command that starts pi: from `--pi` (`given`), else from PI_GROVE_PI, else "pi". A mistake if it cannot be used. */
export async function choosePi(given: string | undefined, env: Env): Promise<PiCommand | { readonly mistake: string }> {
	const text = given ?? (isSet(env.PI_GROVE_PI) ? env.PI_GROVE_PI : undefined) ?? "pi";
	const pi = await readPiCommand(text, env);
	if (!("mistake" in pi)) return pi;
	return { mistake: `cannot use ${given === undefined ? "PI_GROVE_PI" : "--pi"} "${text}": ${pi.mistake}` };
}

/** Whether an environment variable is set and not empty. */
export function isSet(value: string | undefined): boolean {
	return value !== undefined && value !== "";
}

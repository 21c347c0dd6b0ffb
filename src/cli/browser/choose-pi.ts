import { type PiCommand, readPiCommand } from "../../app/world/effects/pi-command.ts";

type Env = Readonly<Record<string, string | undefined>>;

/** What the person calls pi, by the value of `--pi` or else by the environment; or what is wrong with that. */
export async function choosePi(given: string | undefined, env: Env): Promise<PiCommand | { readonly mistake: string }> {
	const text = given ?? (isSet(env.PI_GROVE_PI) ? env.PI_GROVE_PI : undefined) ?? "pi";
	const pi = await readPiCommand(text, env);
	if (!("mistake" in pi)) return pi;
	return { mistake: `cannot use ${given === undefined ? "PI_GROVE_PI" : "--pi"} "${text}": ${pi.mistake}` };
}

/** Whether a variable of the environment says something. */
export function isSet(value: string | undefined): boolean {
	return value !== undefined && value !== "";
}

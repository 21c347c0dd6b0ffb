import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { levelOf, otherForms, withOtherForms } from "../../../src/catalog/query/other-forms.ts";
import { findForm } from "../../../src/catalog/query/regex.ts";
import { stemForms } from "../../../src/catalog/query/stems.ts";
import { editDistance } from "../../../src/shared/nearest.ts";
import { caseCount, FIRST_SEED, inLong } from "../../support/cases.ts";
import { queryOf } from "../../support/follow-search.ts";

/** What in a text stands for a word, nearest first, each with its kind. */
function formsIn(typed: string, text: string): string[] {
	return otherForms(typed).flatMap(({ kind, source }) =>
		[...findForm(source, text)].map(({ start, end }) => `${kind} ${text.slice(start, end)}`),
	);
}

function stands(typed: string, text: string): boolean {
	return formsIn(typed, text).length > 0;
}

describe("forms of English words", () => {
	test.each([
		"migrate migrates migrated migrating migration migrations migrator",
		"crash crashes crashed crashing",
		"query queries queried querying",
		"stop stops stopped stopping stopper",
		"run runs running runner ran",
		"delete deletes deleted deleting deletion deletions",
		"connect connects connected connecting connection connections connector",
		"configure configures configured configuring configuration configurations",
		"deploy deploys deployed deploying deployment deployments",
		"implement implements implemented implementing implementation",
		"describe describes described describing description descriptions",
		"extend extends extended extending extension extensions",
		"decide decides decided deciding decision decisions",
		"convert converts converted converting conversion converter",
		"permit permits permitted permitting permission permissions",
		"define defines defined defining definition definitions",
		"verify verifies verified verifying verification",
		"resolve resolves resolved resolving resolution resolver",
		"fail fails failed failing failure failures",
		"write writes writing written wrote",
		"process processes processed processing",
		"parse parses parsed parsing parser parsers",
		"pod pods",
		"index indexes indices indexing",
		"analyze analyzing analysis",
	])("%s are one word", (family) => {
		const words = family.split(" ");
		const apart = words.flatMap((one) =>
			words.filter((other) => !other.includes(one) && !stands(one, other)).map((other) => `${one} ${other}`),
		);
		expect(apart).toEqual([]);
	});

	/** Words of which no two have to do with each other, many of them with nearly the same letters. */
	const UNRELATED = (
		"state station static status statue stature number numb better letter matter latter ladder form from firm farm test " +
		"text rest nest cache catch couch port part party process progress command comment commend table stable title " +
		"string strong strange stream stress branch bunch bench brunch query quiz quarry color collar cover lover session " +
		"season reason version virgin verse nation native motion emotion mother other weather whether feather leather news " +
		"newt evening even event morning mourn during dure server severe serve deserve reserve message massage module model " +
		"modest module client silent agent urgent filter falter folder fold holder border order older content contest " +
		"context contact contract contrast control console consist insist import export report depart department apartment " +
		"base basement basis bass thing think sing string king point paint print pint sprint section sector second seven " +
		"several merge emerge marge large charge change chance chain train drain brain grain plain place plane planet panel " +
		"tunnel channel kernel colonel corner corn master mast matrix mattress spring sprung shell shelf self sell cell bell " +
		"token taken broken spoken worker wonder wander under render tender gender sender vendor window widow winter writer " +
		"waiter water later layer lawyer buffer suffer offer differ finger anger danger manager market basket bucket budget " +
		"target forget trigger tiger river driver diver never fever lever clever cleaner closer lower flower power tower " +
		"shower question quest position deposit million mill option adopt adapt adept caption capture culture feature future " +
		"nature picture posture pasture poster foster faster master disaster cluster custom customer costume consume resume " +
		"assume presume volume column autumn listen listing lesson lessen passes parses lapses logger longer lodger accented " +
		"accepted excepted expected internal interval external eternal starting starring staring making marking cloning closing"
	).split(" ");

	// The test command tries a third of the words against all of them.
	for (const third of [0, 1, 2])
		test.runIf(inLong(true, third === FIRST_SEED % 3))(
			`of words with nearly the same letters hardly any stands for another: part ${third + 1} of 3`,
			() => {
				const words = [...new Set(UNRELATED)];
				const text = words.join(" ; ");
				const wrong = words
					.filter((_, index) => index % 3 === third)
					.map((word) => `${word}: ${formsIn(word, text).filter((one) => !one.endsWith(` ${word}`))}`);
				expect(words.length).toBeGreaterThan(250);
				expect(wrong.filter((line) => !line.endsWith(": "))).toMatchSnapshot();
			},
		);

	test("a word is among its own forms", () => {
		const all = ["migrating", "crashes", "queries", "deployment", "stopped", "configuration"];
		for (const word of all) expect([word, stemForms(word)]).toEqual([word, expect.arrayContaining([word])]);
	});

	test("what is no plain word has no stems", () => {
		for (const typed of ["café", "a.b", "--flags", "src/pods", "x".repeat(50), "日本語", ""])
			expect([typed, otherForms(typed)]).toEqual([typed, []]);
	});
});

describe("whole words", () => {
	test.each([
		["migrating", "the migration of it", ["stem migration"]],
		["migrating", "runMigrations(), run_migration, MIGRATED", ["stem Migrations", "stem migration", "stem MIGRATED"]],
		["migrating", "immigration migrationist", []],
		["pods", "a pod, PodList, tripod", ["stem pod", "stem Pod"]],
		["pods?", "pods and a pod", ["stem pods", "stem pod"]],
		[
			"retryLoop",
			"retry_loop retry-loop retry loops",
			["joined retry_loop", "joined retry-loop", "joined retry loops"],
		],
		["retry_loop", "the retryLoop and RetryLoops", ["joined retryLoop", "joined RetryLoops"]],
		["retry-loop", "retry  loop, retry.loop, dryretryloop", []],
		["HTTPServer", "http_server http-servers", ["joined http_server", "joined http-servers"]],
		["day-7", "day 07, day_7 and day7", ["joined day 07", "joined day_7", "joined day7"]],
		["day07", "day 7, day 70", ["joined day 7"]],
		["07", "day 7 of 17, 7.5, 1.7", ["joined 7"]],
		["utf8", "UTF-8", ["joined UTF-8"]],
	])("%s in %s", (typed, text, found) => {
		expect(formsIn(typed, text).filter((one) => !one.startsWith("typing"))).toEqual(found);
	});
});

describe("one typing error", () => {
	const word = fc.stringMatching(/^[a-z]{6,16}$/);
	const letter = fc.stringMatching(/^[a-z]$/);

	test("of each kind, anywhere behind the first letter", () => {
		fc.assert(
			fc.property(word, fc.nat(), letter, (right, place, other) => {
				const at = 1 + (place % (right.length - 1));
				const swap = place % (right.length - 1);
				const wrong = [
					right.slice(0, at) + right.slice(at + 1),
					right.slice(0, at) + other + right.slice(at + 1),
					right.slice(0, at) + other + right.slice(at),
					right.slice(0, swap) + right.charAt(swap + 1) + right.charAt(swap) + right.slice(swap + 2),
				];
				for (const typed of wrong.filter((one) => one.length > 5 && !right.includes(one)))
					expect([typed, right, stands(typed, `is ${right}!`)]).toEqual([typed, right, true]);
			}),
			{ numRuns: caseCount(3, 100) },
		);
	});

	test("and nothing else", () => {
		// Few letters, so that words are often near each other.
		const few = fc.stringMatching(/^[abe]{6,9}$/);
		fc.assert(
			fc.property(few, few, (typed, other) => {
				const isNear = editDistance(typed, other) === 1;
				const swapped = typed.charAt(1) + typed.charAt(0) + typed.slice(2);
				const isBegun = typed[0] === other[0] || other === swapped;
				const forms = otherForms(typed).filter(({ kind }) => kind === "typing");
				const found = forms.some(({ source }) => [...findForm(source, other)].length > 0);
				if (typed !== other && !other.startsWith(typed))
					expect([typed, other, found]).toEqual([typed, other, isNear && isBegun]);
			}),
			{ numRuns: caseCount(20, 2000) },
		);
	});

	test("short words, names with digits and words that are very long have none", () => {
		for (const typed of ["chart", "python3", "x".repeat(25), "naïveté"])
			expect(otherForms(typed).map(({ kind }) => kind)).not.toContain("typing");
	});

	test("the patterns stay small", () => {
		const longest = otherForms("abcdefghijklmnopqrstuvwx").map(({ source }) => source.length);
		expect(Math.max(...longest)).toBeLessThan(1500);
	});
});

describe("in a query", () => {
	test.each([
		["migrating", ["migrating"]],
		["migrating pods role:user", ["migrating", "pods"]],
		["in:output crashing tool:bash", ["crashing"]],
		['"migrating" pods', ["pods"]],
		["migrating -pods", ["migrating"]],
		["label:migrating pods", ["pods"]],
		["name:testing file:queries.ts cmd:migrating title:pods", []],
		["re:migrating", []],
		["role:user", []],
		['"pods crashing', []],
		["-migrating", []],
		["is:named", []],
		["src/pods.ts", []],
	])("of %s these words take other forms: %j", (text, words) => {
		const query = withOtherForms(queryOf(text));
		const terms = query?.terms.filter(({ forms = [] }) => forms.some(({ kind }) => kind !== "accent")) ?? [];
		expect(terms.map(({ typed }) => typed)).toEqual(words);
		expect(query?.without ?? []).toEqual(query ? queryOf(text).without : []);
	});

	test.each(["migrating", '"migrating"', "file:resume.pdf", "label:éclair"])(
		"letters of %s may have accents unless some were typed",
		(text) => {
			const forms = withOtherForms(queryOf(text))?.terms.flatMap((term) => term.forms ?? []) ?? [];
			expect(forms.some(({ kind }) => kind === "accent")).toBe(!text.includes("é"));
		},
	);

	test("the nearest forms come first", () => {
		const levels = otherForms("retryLoops").map(levelOf);
		expect(levels).toEqual([...levels].sort());
		expect(otherForms("migrating").map(({ kind }) => kind)).toEqual(["stem", "typing", "typing"]);
	});
});

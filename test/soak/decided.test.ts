import { describe, expect, it } from 'vitest';
import type { CapabilityId } from '../../electron/core/model.ts';
import { deriveSurface } from '../../electron/core/surface.ts';
import { decisionOn } from '../../electron/core/view.ts';
import { Story, app, ref } from '../core/model/build.ts';
import { Decided, type Shown } from './decided.ts';
import { Invariants } from './invariants.ts';

const APP = 'claude';
const TOOL = 'tool/search';

/** The model itself beside the account of it: each deed is done in both. */
class Both {
  readonly story = new Story().server('s').app(APP);
  readonly invariants = new Invariants(() => 'now');
  readonly listed: Shown[] = [];
  readonly decided = new Decided(this.invariants, () => this.listed);

  shown(version = 'v1'): Shown & { readonly id: CapabilityId } {
    return { ref: ref('s', TOOL), id: this.story.id('s', TOOL, version) };
  }
  lists(tools: Readonly<Record<string, string>>): this {
    this.story.lists('s', { tool: tools });
    const { search } = tools;
    if (search !== undefined) this.listed.push(this.shown(search));
    return this;
  }
  expose(): this {
    const inView = this.story.shown('s', app(APP), 'all');
    this.story.expose(APP, 's', 'all');
    const isApproved = (one: (typeof inView)[number]): boolean =>
      decisionOn(this.story.state, app(APP), one.ref, one.id)?.verdict === 'approved';
    this.decided.chose(APP, inView.filter(isApproved), Date.now());
    return this;
  }
  approve(isAnswered = true): this {
    this.story.approve(APP, 's', TOOL);
    if (isAnswered) this.decided.decided(APP, this.shown(), 'approved', Date.now());
    else this.decided.unsureOf(APP, this.shown());
    return this;
  }
  keepOff(): this {
    this.story.keepOff(APP, 's', TOOL);
    this.decided.decided(APP, this.shown(), 'kept off', Date.now());
    return this;
  }
  undo(): this {
    this.story.undo(APP, 's', TOOL);
    this.decided.undid(APP, this.shown(), Date.now());
    return this;
  }
  /** What the account says is wrong with the surface of the model. */
  look(): readonly string[] {
    this.decided.checkSurface(APP, deriveSurface(this.story.state, app(APP)).manifest.entries);
    return this.invariants.broken('approved');
  }
  isServed(): boolean {
    return this.story.surface(APP)[TOOL] !== undefined;
  }
  isAllowed(): boolean {
    return this.decided.isAllowed(APP, this.shown());
  }
}

/** A tool that came later than the choice of its server, so that it is asked about. */
const asked = (): Both => new Both().lists({ other: 'v1' }).expose().lists({ other: 'v1', search: 'v1' });

describe('the account that the soak keeps of decisions', () => {
  it('counts no decision where a choice found one, so that undoing comes to what was before', () => {
    const both = asked().keepOff().approve().expose();
    expect([both.isServed(), both.isAllowed()]).toEqual([true, true]);
    both.undo();
    expect([both.isServed(), both.isAllowed()]).toEqual([false, false]);
    both.undo();
    both.story.hide(APP, 's', 'all');
    both.expose();
    expect([both.isServed(), both.look()]).toEqual([true, []]);
  });

  it('does not know what a decision that was cut off leaves when a later one is undone', () => {
    const both = asked().keepOff().approve(false).keepOff();
    expect([both.isServed(), both.isAllowed()]).toEqual([false, false]);
    both.undo();
    expect([both.isServed(), both.look()]).toEqual([true, []]);
  });

  it('lets a tool of the first list come back that was gone when somebody first looked', () => {
    const both = new Both();
    both.expose();
    both.decided.awaits(APP, 's-s', ['tool']);
    both.lists({ search: 'v1', other: 'v1' }).lists({ other: 'v1' });
    expect(both.look()).toEqual([]);
    both.lists({ search: 'v1', other: 'v1' });
    expect([both.isServed(), both.look()]).toEqual([true, []]);
    both.decided.checkSurface(APP, [both.shown('v2')]);
    expect(both.invariants.broken('approved')).toHaveLength(1);
  });

  it('says what was allowed at a time, whatever was decided since', () => {
    const { decided, shown } = { decided: new Decided(new Invariants(() => ''), () => []), shown: asked().shown() };
    decided.decided(APP, shown, 'approved', 1_000);
    expect(decided.isAllowed(APP, shown, 900, 999)).toBe(false);
    expect(decided.isAllowed(APP, shown, 900, 1_001)).toBe(true);
    const before = Date.now();
    decided.decided(APP, shown, 'kept off', before);
    expect(decided.isAllowed(APP, shown, before - 1, before)).toBe(true);
    expect(decided.isAllowed(APP, shown, Date.now() + 1, Date.now() + 2)).toBe(false);
    decided.undid(APP, shown, Date.now() + 60_000);
    expect(decided.isAllowed(APP, shown, Date.now() + 50_000, Date.now() + 59_000)).toBe(false);
    expect(decided.isAllowed(APP, shown)).toBe(true);
  });
});

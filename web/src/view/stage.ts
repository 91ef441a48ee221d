// SPDX-License-Identifier: Apache-2.0
// Renderer, camera, light and bodies. Draws only when something has changed.
import {
  Box3, Color, DirectionalLight, HemisphereLight, PerspectiveCamera, Scene, Vector3, WebGLRenderer,
} from 'three';
import { OrbitControls } from 'three/examples/jsm/controls/OrbitControls.js';
import { runColour } from '../core/run_colours';
import type { ShownRuns } from '../core/shown_runs';
import { theme, themeColour } from '../core/theme';
import type { Animation } from '../format/animation';
import type { Clock } from '../play/clock';
import { Arrows } from './arrows';
import { commonBox } from './bounds';
import { cellGrid, pictureIn, type Cell } from './cells';
import type { FieldChoice } from './fields';
import { USUAL_LENGTH, type ForceChoice } from './forces';
import { DEFAULT_DIRECTION, fittingDistance } from './framing';
import { GroundGrid } from './ground_grid';
import { Overlay } from './overlay';
import type { ViewSettings } from './settings';
import { SurfaceMesh } from './surface_mesh';
import { upFrame } from './up';

/** A moving surface and which of the report's runs it belongs to. */
export interface Actor {
  run: number;
  name: string;
  finished: boolean;
  animation: Animation;
}

export class Stage {
  readonly canvas: HTMLCanvasElement;
  readonly meshes: SurfaceMesh[];
  readonly ground: GroundGrid;
  readonly camera = new PerspectiveCamera(32, 1, 0.01, 100);
  /** Called after every drawing, for what lies on top of the canvas. */
  onDraw: (() => void) | null = null;

  private readonly renderer: WebGLRenderer;
  private readonly controls: OrbitControls;
  private readonly scene = new Scene();
  private readonly arrows: Arrows[];
  private readonly overlay = new Overlay();
  /** What the camera is framed to. */
  readonly box: Box3;
  private readonly radius: number;
  /** From what is shown towards the camera, at first. */
  private readonly direction: Vector3;
  private width = 1;
  private height = 1;
  private framed = false;
  private pending = false;

  constructor(
    readonly actors: Actor[],
    private readonly shown: ShownRuns,
    clock: Clock,
    private readonly settings: ViewSettings,
    fields: FieldChoice[],
    private readonly forces: ForceChoice[],
    up: Vector3,
  ) {
    const runs = shown.count;
    const frame = upFrame(up);
    this.direction = DEFAULT_DIRECTION.clone().transformDirection(frame);
    this.renderer = new WebGLRenderer({ antialias: true, alpha: true });
    this.renderer.setPixelRatio(Math.min(2, devicePixelRatio));
    this.renderer.setClearColor(0x000000, 0);
    this.renderer.autoClear = false;
    this.canvas = this.renderer.domElement;

    this.box = commonBox(actors.map((actor) => actor.animation));
    this.radius = this.box.getSize(new Vector3()).length() / 2;
    this.meshes = actors.map((actor) => new SurfaceMesh(actor.animation));
    this.arrows = actors.map((actor) => new Arrows(actor.animation, this.size));
    this.arrows.forEach(({ mesh }, i) => this.meshes[i].group.add(mesh));
    this.ground = new GroundGrid(this.box, frame);
    this.scene.add(this.camera, this.ground.lines, ...this.meshes.map((mesh) => mesh.group));

    // The light travels with the camera: shape stays readable from everywhere.
    const key = new DirectionalLight(0xffffff, 1.75);
    key.position.set(-0.6, 1, 1.1);
    const fill = new HemisphereLight(0xffffff, 0xc9ced8, 1.75);
    fill.position.copy(up);
    this.camera.add(key, key.target);
    key.target.position.set(0, 0, -1);
    this.scene.add(fill);

    this.camera.up.copy(up);
    this.controls = new OrbitControls(this.camera, this.canvas);
    this.controls.enableDamping = true;
    this.controls.dampingFactor = 0.18;
    this.controls.addEventListener('change', () => this.invalidate());
    this.resetView();

    theme.watch(() => {
      actors.forEach((actor, i) => this.meshes[i].setColour(themeColour(runColour(actor.run, runs))));
      this.ground.setColour(themeColour('--grid-line'), 0.9);
      this.colourArrows(runs);
      this.applyWireframe();
    });
    const recolour = (): void => {
      const chosen = fields.find((field) => field.name === settings.field.value);
      // In an overlay colours tell the runs apart.
      const name = settings.layout.value === 'overlay' ? null : (chosen?.name ?? null);
      const range = chosen ? (settings.clipped.value ? chosen.clipped : chosen.full) : { low: 0, high: 1 };
      for (const mesh of this.meshes) mesh.setField(name, range);
      this.invalidate();
    };
    settings.field.watch(recolour);
    settings.clipped.watch(recolour);
    settings.layout.watch(() => {
      recolour();
      this.colourArrows(runs);
      // Cells have another shape than the whole picture.
      if (this.framed) this.fit();
    });
    shown.hidden.watch(() => {
      if (this.framed) this.fit();
    });
    settings.force.watch(() => this.showArrows());
    settings.wireframe.watch(() => this.applyWireframe());
    settings.grid.watch((on) => {
      this.ground.lines.visible = on;
      this.invalidate();
    });
    clock.time.watch((time) => {
      let changed = false;
      for (const mesh of this.meshes) changed = mesh.showTime(time) || changed;
      if (changed) this.showArrows();
    });
  }

  /** Places of the actors that are shown. */
  get shownActors(): number[] {
    return this.actors.flatMap(({ run }, i) => (this.shown.isShown(run) ? [i] : []));
  }

  /** Places of the shown actors in CSS pixels; one for all in an overlay. */
  get cells(): Cell[] {
    const count = this.settings.layout.value === 'overlay' ? 1 : this.shownActors.length;
    // A run without frames may be the only one shown: the camera still needs a place.
    return cellGrid(Math.max(1, count), this.width, this.height);
  }

  /** Where bodies are drawn: cells beside each other have labels. */
  private get pictures(): Cell[] {
    return this.cells.length > 1 ? this.cells.map(pictureIn) : this.cells;
  }

  /** Of what the camera is framed to [m]. */
  get size(): number {
    return 2 * this.radius;
  }

  /** How long a metre is, in CSS pixels, where the camera looks. */
  get pixelsPerMetre(): number {
    const distance = this.camera.position.distanceTo(this.controls.target);
    return this.pictures[0].height / (2 * Math.tan((this.camera.fov * Math.PI) / 360) * distance);
  }

  resize(width: number, height: number): void {
    if (width < 1 || height < 1 || (width === this.width && height === this.height)) return;
    this.width = width;
    this.height = height;
    this.renderer.setSize(width, height);
    if (!this.framed) {
      this.framed = true;
      this.fit();
    }
    this.draw();
  }

  /** Everything in view, from where the camera looks now. */
  fit(): void {
    const direction = this.camera.position.clone().sub(this.controls.target).normalize();
    this.look(direction.lengthSq() > 0 ? direction : this.direction);
  }

  resetView(): void {
    this.look(this.direction);
  }

  /** With room for arrows, which end at the bodies and stand outside of them. */
  private get boxInView(): Box3 {
    return this.settings.force.value === null ? this.box : this.box.clone().expandByScalar(USUAL_LENGTH * this.size);
  }

  private look(direction: Vector3): void {
    const cell = this.pictures[0];
    this.camera.aspect = cell.width / cell.height;
    const distance = fittingDistance(this.boxInView, direction, this.camera);
    this.box.getCenter(this.controls.target);
    this.camera.position.copy(this.controls.target).addScaledVector(direction, distance);
    this.controls.minDistance = this.radius * 0.02;
    this.controls.maxDistance = distance * 20;
    this.controls.update();
    this.invalidate();
  }

  private applyWireframe(): void {
    const on = this.settings.wireframe.value;
    for (const mesh of this.meshes) mesh.setWireframe(on, themeColour('--wire'), 0.55);
    this.invalidate();
  }

  private showArrows(): void {
    const force = this.forces.find(({ name }) => name === this.settings.force.value) ?? null;
    this.meshes.forEach(({ shownFrame, positions }, i) => this.arrows[i].show(force, shownFrame, positions));
    this.invalidate();
  }

  /** In the overlay arrows have the colours of their runs, but stand out from the bodies. */
  private colourArrows(runs: number): void {
    const overlaid = this.settings.layout.value === 'overlay';
    const ink = new Color(themeColour('--ink'));
    this.actors.forEach(({ run }, i) => {
      const colour = new Color(themeColour(overlaid ? runColour(run, runs) : '--force'));
      this.arrows[i].setColour(overlaid ? colour.lerp(ink, 0.45) : colour);
    });
  }

  invalidate(): void {
    if (this.pending) return;
    this.pending = true;
    requestAnimationFrame(() => {
      this.pending = false;
      // While the motion of the camera fades out this asks for the next frame.
      this.controls.update();
      this.draw();
    });
  }

  draw(): void {
    const distance = this.camera.position.distanceTo(this.controls.target);
    this.camera.near = Math.max(distance - 4 * this.radius, distance * 0.01);
    this.camera.far = distance + 40 * this.radius;
    this.renderer.setScissorTest(false);
    this.renderer.setViewport(0, 0, this.width, this.height);
    this.renderer.clear();
    if (this.settings.layout.value === 'overlay' && this.actors.length > 1) this.drawOverlay();
    else this.drawCells();
    this.onDraw?.();
  }

  private showOnly(run: number | null): void {
    this.meshes.forEach((mesh, i) => (mesh.group.visible = i === run));
  }

  private drawCells(): void {
    this.renderer.setScissorTest(true);
    const { pictures } = this;
    this.shownActors.forEach((actor, i) => {
      const cell = pictures[i];
      const bottom = this.height - cell.top - cell.height;
      this.renderer.setViewport(cell.left, bottom, cell.width, cell.height);
      this.renderer.setScissor(cell.left, bottom, cell.width, cell.height);
      this.camera.aspect = cell.width / cell.height;
      this.camera.updateProjectionMatrix();
      this.showOnly(actor);
      this.renderer.render(this.scene, this.camera);
    });
  }

  private drawOverlay(): void {
    this.camera.aspect = this.width / this.height;
    this.camera.updateProjectionMatrix();
    this.showOnly(null);
    this.renderer.render(this.scene, this.camera);
    this.ground.lines.visible = false;
    const ratio = this.renderer.getPixelRatio();
    this.overlay.render(this.renderer, Math.round(this.width * ratio), Math.round(this.height * ratio), this.shownActors, (actor) => {
      this.showOnly(actor);
      this.renderer.render(this.scene, this.camera);
    });
    this.ground.lines.visible = this.settings.grid.value;
  }

  /** For tests: the picture as it would be drawn now, RGBA from the top left. */
  pixels(): ImageData {
    this.draw();
    const copy = document.createElement('canvas');
    copy.width = this.canvas.width;
    copy.height = this.canvas.height;
    const context = copy.getContext('2d') as CanvasRenderingContext2D;
    context.drawImage(this.canvas, 0, 0);
    return context.getImageData(0, 0, copy.width, copy.height);
  }
}

// SPDX-License-Identifier: Apache-2.0
// Several bodies on top of each other. Each is drawn alone into a layer; the picture is the mean of
// the layers that cover a pixel. So no run hides another, and their order does not matter.
import {
  AddEquation, CustomBlending, HalfFloatType, Mesh, NoBlending, NormalBlending, OneFactor, OrthographicCamera,
  PlaneGeometry, ShaderMaterial, WebGLRenderTarget, type Blending, type WebGLRenderer,
} from 'three';

const VERTEX = `
varying vec2 place;
void main() { place = uv; gl_Position = vec4(position.xy, 0.0, 1.0); }`;

const ADD = `
uniform sampler2D image;
varying vec2 place;
void main() { gl_FragColor = texture2D(image, place); }`;

// Colours in the sum are weighted by coverage. One body alone stays translucent, two are denser.
const RESOLVE = `
uniform sampler2D image;
varying vec2 place;
void main() {
  vec4 sum = texture2D(image, place);
  if (sum.a < 0.002) discard;
  gl_FragColor = vec4(sum.rgb / sum.a, 1.0 - pow(0.22, sum.a));
  #include <colorspace_fragment>
}`;

function quad(fragmentShader: string, blending: Blending): Mesh<PlaneGeometry, ShaderMaterial> {
  const material = new ShaderMaterial({
    vertexShader: VERTEX, fragmentShader, uniforms: { image: { value: null } },
    blending, transparent: blending !== NoBlending, depthTest: false, depthWrite: false,
    blendEquation: AddEquation, blendSrc: OneFactor, blendDst: OneFactor,
    blendSrcAlpha: OneFactor, blendDstAlpha: OneFactor,
  });
  const mesh = new Mesh(new PlaneGeometry(2, 2), material);
  mesh.frustumCulled = false;
  return mesh;
}

export class Overlay {
  private readonly layer = new WebGLRenderTarget(1, 1, { type: HalfFloatType, samples: 4 });
  private readonly sum = new WebGLRenderTarget(1, 1, { type: HalfFloatType, depthBuffer: false });
  private readonly add = quad(ADD, CustomBlending);
  private readonly resolve = quad(RESOLVE, NormalBlending);
  private readonly camera = new OrthographicCamera();

  /** `draw(i)` renders actor i alone; the canvas must be cleared already. */
  render(renderer: WebGLRenderer, width: number, height: number, actors: number[], draw: (actor: number) => void): void {
    this.layer.setSize(width, height);
    this.sum.setSize(width, height);
    renderer.setRenderTarget(this.sum);
    renderer.clear();
    this.add.material.uniforms.image.value = this.layer.texture;
    for (const actor of actors) {
      renderer.setRenderTarget(this.layer);
      renderer.clear();
      draw(actor);
      renderer.setRenderTarget(this.sum);
      renderer.render(this.add, this.camera);
    }
    renderer.setRenderTarget(null);
    this.resolve.material.uniforms.image.value = this.sum.texture;
    renderer.render(this.resolve, this.camera);
  }
}

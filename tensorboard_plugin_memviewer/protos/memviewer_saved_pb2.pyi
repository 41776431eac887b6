from google.protobuf.internal import containers as _containers
from google.protobuf import descriptor as _descriptor
from google.protobuf import message as _message
from typing import ClassVar as _ClassVar, Iterable as _Iterable, Mapping as _Mapping, Optional as _Optional, Union as _Union

DESCRIPTOR: _descriptor.FileDescriptor

class Source(_message.Message):
    __slots__ = ("file_name", "line_number", "stack_frame")
    FILE_NAME_FIELD_NUMBER: _ClassVar[int]
    LINE_NUMBER_FIELD_NUMBER: _ClassVar[int]
    STACK_FRAME_FIELD_NUMBER: _ClassVar[int]
    file_name: str
    line_number: int
    stack_frame: str
    def __init__(self, file_name: _Optional[str] = ..., line_number: _Optional[int] = ..., stack_frame: _Optional[str] = ...) -> None: ...

class HeapObject(_message.Message):
    __slots__ = ("label", "logical_buffer_id", "logical_buffer_size_mib", "unpadded_shape_mib", "instruction_name", "shape_string", "tf_op_name", "group_name", "op_code", "source_info")
    LABEL_FIELD_NUMBER: _ClassVar[int]
    LOGICAL_BUFFER_ID_FIELD_NUMBER: _ClassVar[int]
    LOGICAL_BUFFER_SIZE_MIB_FIELD_NUMBER: _ClassVar[int]
    UNPADDED_SHAPE_MIB_FIELD_NUMBER: _ClassVar[int]
    INSTRUCTION_NAME_FIELD_NUMBER: _ClassVar[int]
    SHAPE_STRING_FIELD_NUMBER: _ClassVar[int]
    TF_OP_NAME_FIELD_NUMBER: _ClassVar[int]
    GROUP_NAME_FIELD_NUMBER: _ClassVar[int]
    OP_CODE_FIELD_NUMBER: _ClassVar[int]
    SOURCE_INFO_FIELD_NUMBER: _ClassVar[int]
    label: str
    logical_buffer_id: int
    logical_buffer_size_mib: float
    unpadded_shape_mib: float
    instruction_name: str
    shape_string: str
    tf_op_name: str
    group_name: str
    op_code: str
    source_info: Source
    def __init__(self, label: _Optional[str] = ..., logical_buffer_id: _Optional[int] = ..., logical_buffer_size_mib: _Optional[float] = ..., unpadded_shape_mib: _Optional[float] = ..., instruction_name: _Optional[str] = ..., shape_string: _Optional[str] = ..., tf_op_name: _Optional[str] = ..., group_name: _Optional[str] = ..., op_code: _Optional[str] = ..., source_info: _Optional[_Union[Source, _Mapping]] = ...) -> None: ...

class Span(_message.Message):
    __slots__ = ("start", "limit")
    START_FIELD_NUMBER: _ClassVar[int]
    LIMIT_FIELD_NUMBER: _ClassVar[int]
    start: int
    limit: int
    def __init__(self, start: _Optional[int] = ..., limit: _Optional[int] = ...) -> None: ...

class LogicalBuffer(_message.Message):
    __slots__ = ("id", "shape", "size_mib", "hlo_name", "shape_index")
    ID_FIELD_NUMBER: _ClassVar[int]
    SHAPE_FIELD_NUMBER: _ClassVar[int]
    SIZE_MIB_FIELD_NUMBER: _ClassVar[int]
    HLO_NAME_FIELD_NUMBER: _ClassVar[int]
    SHAPE_INDEX_FIELD_NUMBER: _ClassVar[int]
    id: int
    shape: str
    size_mib: float
    hlo_name: str
    shape_index: _containers.RepeatedScalarFieldContainer[int]
    def __init__(self, id: _Optional[int] = ..., shape: _Optional[str] = ..., size_mib: _Optional[float] = ..., hlo_name: _Optional[str] = ..., shape_index: _Optional[_Iterable[int]] = ...) -> None: ...

class Allocation(_message.Message):
    __slots__ = ("id", "size_mib", "attributes", "logical_buffers")
    ID_FIELD_NUMBER: _ClassVar[int]
    SIZE_MIB_FIELD_NUMBER: _ClassVar[int]
    ATTRIBUTES_FIELD_NUMBER: _ClassVar[int]
    LOGICAL_BUFFERS_FIELD_NUMBER: _ClassVar[int]
    id: int
    size_mib: float
    attributes: _containers.RepeatedScalarFieldContainer[str]
    logical_buffers: _containers.RepeatedCompositeFieldContainer[LogicalBuffer]
    def __init__(self, id: _Optional[int] = ..., size_mib: _Optional[float] = ..., attributes: _Optional[_Iterable[str]] = ..., logical_buffers: _Optional[_Iterable[_Union[LogicalBuffer, _Mapping]]] = ...) -> None: ...

class Block(_message.Message):
    __slots__ = ("logical_buffer_id", "name", "offset", "size", "start_step", "end_step", "tf_op_name", "category", "source_info", "shape_string", "unpadded_size")
    LOGICAL_BUFFER_ID_FIELD_NUMBER: _ClassVar[int]
    NAME_FIELD_NUMBER: _ClassVar[int]
    OFFSET_FIELD_NUMBER: _ClassVar[int]
    SIZE_FIELD_NUMBER: _ClassVar[int]
    START_STEP_FIELD_NUMBER: _ClassVar[int]
    END_STEP_FIELD_NUMBER: _ClassVar[int]
    TF_OP_NAME_FIELD_NUMBER: _ClassVar[int]
    CATEGORY_FIELD_NUMBER: _ClassVar[int]
    SOURCE_INFO_FIELD_NUMBER: _ClassVar[int]
    SHAPE_STRING_FIELD_NUMBER: _ClassVar[int]
    UNPADDED_SIZE_FIELD_NUMBER: _ClassVar[int]
    logical_buffer_id: int
    name: str
    offset: float
    size: float
    start_step: int
    end_step: int
    tf_op_name: str
    category: str
    source_info: Source
    shape_string: str
    unpadded_size: float
    def __init__(self, logical_buffer_id: _Optional[int] = ..., name: _Optional[str] = ..., offset: _Optional[float] = ..., size: _Optional[float] = ..., start_step: _Optional[int] = ..., end_step: _Optional[int] = ..., tf_op_name: _Optional[str] = ..., category: _Optional[str] = ..., source_info: _Optional[_Union[Source, _Mapping]] = ..., shape_string: _Optional[str] = ..., unpadded_size: _Optional[float] = ...) -> None: ...

class Result(_message.Message):
    __slots__ = ("heap_sizes", "unpadded_heap_sizes", "max_heap", "logical_buffer_spans", "module_name", "entry_computation_name", "peak_heap_mib", "peak_unpadded_heap_mib", "peak_heap_size_position", "entry_computation_parameters_mib", "indefinite_lifetimes", "total_buffer_allocation_mib", "indefinite_buffer_allocation_mib", "hlo_instruction_names", "max_scoped_vmem_allocation_mib", "max_scoped_vmem_instruction_name", "buffer_blocks")
    class LogicalBufferSpansEntry(_message.Message):
        __slots__ = ("key", "value")
        KEY_FIELD_NUMBER: _ClassVar[int]
        VALUE_FIELD_NUMBER: _ClassVar[int]
        key: int
        value: Span
        def __init__(self, key: _Optional[int] = ..., value: _Optional[_Union[Span, _Mapping]] = ...) -> None: ...
    HEAP_SIZES_FIELD_NUMBER: _ClassVar[int]
    UNPADDED_HEAP_SIZES_FIELD_NUMBER: _ClassVar[int]
    MAX_HEAP_FIELD_NUMBER: _ClassVar[int]
    LOGICAL_BUFFER_SPANS_FIELD_NUMBER: _ClassVar[int]
    MODULE_NAME_FIELD_NUMBER: _ClassVar[int]
    ENTRY_COMPUTATION_NAME_FIELD_NUMBER: _ClassVar[int]
    PEAK_HEAP_MIB_FIELD_NUMBER: _ClassVar[int]
    PEAK_UNPADDED_HEAP_MIB_FIELD_NUMBER: _ClassVar[int]
    PEAK_HEAP_SIZE_POSITION_FIELD_NUMBER: _ClassVar[int]
    ENTRY_COMPUTATION_PARAMETERS_MIB_FIELD_NUMBER: _ClassVar[int]
    INDEFINITE_LIFETIMES_FIELD_NUMBER: _ClassVar[int]
    TOTAL_BUFFER_ALLOCATION_MIB_FIELD_NUMBER: _ClassVar[int]
    INDEFINITE_BUFFER_ALLOCATION_MIB_FIELD_NUMBER: _ClassVar[int]
    HLO_INSTRUCTION_NAMES_FIELD_NUMBER: _ClassVar[int]
    MAX_SCOPED_VMEM_ALLOCATION_MIB_FIELD_NUMBER: _ClassVar[int]
    MAX_SCOPED_VMEM_INSTRUCTION_NAME_FIELD_NUMBER: _ClassVar[int]
    BUFFER_BLOCKS_FIELD_NUMBER: _ClassVar[int]
    heap_sizes: _containers.RepeatedScalarFieldContainer[float]
    unpadded_heap_sizes: _containers.RepeatedScalarFieldContainer[float]
    max_heap: _containers.RepeatedCompositeFieldContainer[HeapObject]
    logical_buffer_spans: _containers.MessageMap[int, Span]
    module_name: str
    entry_computation_name: str
    peak_heap_mib: float
    peak_unpadded_heap_mib: float
    peak_heap_size_position: int
    entry_computation_parameters_mib: float
    indefinite_lifetimes: _containers.RepeatedCompositeFieldContainer[Allocation]
    total_buffer_allocation_mib: float
    indefinite_buffer_allocation_mib: float
    hlo_instruction_names: _containers.RepeatedScalarFieldContainer[str]
    max_scoped_vmem_allocation_mib: float
    max_scoped_vmem_instruction_name: str
    buffer_blocks: _containers.RepeatedCompositeFieldContainer[Block]
    def __init__(self, heap_sizes: _Optional[_Iterable[float]] = ..., unpadded_heap_sizes: _Optional[_Iterable[float]] = ..., max_heap: _Optional[_Iterable[_Union[HeapObject, _Mapping]]] = ..., logical_buffer_spans: _Optional[_Mapping[int, Span]] = ..., module_name: _Optional[str] = ..., entry_computation_name: _Optional[str] = ..., peak_heap_mib: _Optional[float] = ..., peak_unpadded_heap_mib: _Optional[float] = ..., peak_heap_size_position: _Optional[int] = ..., entry_computation_parameters_mib: _Optional[float] = ..., indefinite_lifetimes: _Optional[_Iterable[_Union[Allocation, _Mapping]]] = ..., total_buffer_allocation_mib: _Optional[float] = ..., indefinite_buffer_allocation_mib: _Optional[float] = ..., hlo_instruction_names: _Optional[_Iterable[str]] = ..., max_scoped_vmem_allocation_mib: _Optional[float] = ..., max_scoped_vmem_instruction_name: _Optional[str] = ..., buffer_blocks: _Optional[_Iterable[_Union[Block, _Mapping]]] = ...) -> None: ...
